// The two classes of undici that the program uses, without the half of it that is a browser's: V8 reads the whole program
// at each start.

export { default as Agent } from '../node_modules/undici/lib/dispatcher/agent.js';
export { default as EnvHttpProxyAgent } from '../node_modules/undici/lib/dispatcher/env-http-proxy-agent.js';
