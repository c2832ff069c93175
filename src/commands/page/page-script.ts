// The one script of the page: it searches, and says that the page is old. Everything else works without it.

/** Its hash is in the policy of the page, so that no other script runs. */
export const pageScript = `
(() => {
  const find = (id) => document.getElementById(id);
  const main = document.querySelector('main');
  const form = find('search');
  const box = find('words');
  const said = find('found');
  const all = find('reports');
  const next = all && all.nextElementSibling;
  const plain = (text) => text.normalize('NFKD').replace(/\\p{M}/gu, '').toLowerCase();

  const made = Date.parse(document.querySelector('time').dateTime);
  const days = Math.floor((Date.now() - made) / 86400000);
  if (days >= 2) {
    const old = find('old');
    old.textContent = 'This page is ' + days + ' days old. Reports may have changed since.';
    old.hidden = false;
  }

  let leaves;
  const read = () => {
    const heads = new Map();
    const above = (group) => {
      if (!group) return '';
      if (!heads.has(group)) {
        const own = group.querySelector('h3,h4,h5,summary');
        heads.set(group, (own ? own.textContent : '') + ' ' + above(group.parentElement.closest('.group')));
      }
      return heads.get(group);
    };
    return [...main.querySelectorAll('article,.group li')].map((element) => ({
      element,
      isReport: element.localName === 'article',
      text: plain(element.textContent + ' ' + above(element.closest('.group'))),
    }));
  };

  const search = () => {
    const words = plain(box.value).split(/\\s+/).filter(Boolean);
    const isOn = words.length > 0;
    leaves = leaves || read();
    let [reports, total] = [0, 0];
    for (const { element, text, isReport } of leaves) {
      const isShown = words.every((word) => text.includes(word));
      if (element.hidden === isShown) element.hidden = !isShown;
      if (isReport) total += 1;
      if (isReport && isShown) reports += 1;
    }
    for (const group of main.querySelectorAll('.group,main > section'))
      group.hidden = isOn && !group.querySelector('article:not([hidden]),li:not([hidden])');
    for (const fold of main.querySelectorAll('details.group')) fold.open = isOn;
    if (all && isOn) main.prepend(all);
    else if (all && next) main.insertBefore(all, next);
    document.body.classList.toggle('searching', isOn);
    said.textContent = isOn ? reports + ' of ' + total + (total === 1 ? ' report' : ' reports') : '';
  };

  let timer;
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  box.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, 120);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== box && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      box.focus();
    }
    if (event.key === 'Escape' && document.activeElement === box) {
      box.value = '';
      search();
    }
  });
})();
`;
