// The one script of the page: it searches, and says that the page is old. Everything else works without it.

/** Its hash is in the policy of the page, so that no other script runs. */
export const pageScript = `
(() => {
  const find = (id) => document.getElementById(id);
  const main = document.querySelector('main');
  const form = find('search');
  const box = find('words');
  const said = find('found');
  const ways = find('ways');
  const all = find('reports');
  const plain = (text) => text.normalize('NFKD').replace(/\\p{M}/gu, '').toLowerCase();

  const order = [...main.children];

  const made = Date.parse(document.querySelector('time').dateTime);
  const days = Math.floor((Date.now() - made) / 86400000);
  if (Date.now() - made > 2 * 86400000) {
    const old = find('old');
    old.textContent = 'This page is ' + days + ' days old. Reports may have changed since.';
    old.hidden = false;
  }

  let leaves;
  let isMoved = false;
  // What is meant by name comes first. Of many, the order of names is the better one.
  const nameFirst = (words) => {
    const reports = leaves.filter(({ isReport }) => isReport);
    if (isMoved) all.append(...reports.map(({ element }) => element));
    const named = reports.filter(({ name }) => words.every((word) => name.includes(word)));
    isMoved = words.length > 0 && named.length > 0 && named.length < 200;
    if (isMoved) all.querySelector('h2').after(...named.map(({ element }) => element));
  };

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
      name: plain((element.querySelector('h3') || element).textContent),
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
    for (const group of main.querySelectorAll('.group,.fold,main > section'))
      group.hidden = isOn && !group.querySelector('article:not([hidden]),.group li:not([hidden])');
    for (const fold of main.querySelectorAll('details')) fold.open = isOn;
    // Whoever is meant by name and the day that is named come first, then the reports.
    const week = find('week');
    const isDay = week && words.some((word) => /^(mon|tues|wednes|thurs|fri|satur|sun)day$/.test(word));
    const people = find('people');
    const isName = (head) => words.every((word) => plain(head.textContent).includes(word));
    const isPerson = isOn && people && [...people.querySelectorAll('.grid > .group > h3')].some(isName);
    if (all) nameFirst(words);
    main.append(...order);
    if (isOn) main.prepend(...[isPerson && people, isDay && week, all].filter(Boolean));
    ways.replaceChildren(...(isOn ? [...main.children] : []).filter((each) => !each.hidden).map((each) => {
      const way = document.createElement('a');
      way.href = '#' + each.id;
      way.textContent = each.querySelector('h2').textContent;
      return way;
    }));
    ways.hidden = !isOn || ways.childElementCount === 0;
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
