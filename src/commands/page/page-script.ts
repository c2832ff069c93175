// The one script of the page: it searches, and says that the page is old. Everything else works without it.

/** The hash of this script is in the page's policy, so that no other script runs. */
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

  // A report is found by its own words, those who receive it and the times of it; a line of it by those of the line's headings,
  // too. So what is not found in its own place is found nowhere.
  const small = new Set(('a all an and are arrive arrives at by do does for from get gets go goes how i in is me my of on ' +
    'or receive receives send sends sent show the to what when where which who whom why with').split(' '));
  const isDay = (word) => /^(mon|tues|wednes|thurs|fri|satur|sun)day$/.test(word);
  const isTime = (word) => isDay(word) || /^(morning|afternoon|evening)$/.test(word);
  const wordsIn = (text) => plain(text).split(/[\\s,;?!"()]+/)
    .map((word) => word.replace(/^external(ly)?$/, 'outside').replace(/(day|morning|afternoon|evening)s$/, '$1'))
    .filter((word) => word && !small.has(word));
  // A number is a whole one, and no part of a time.
  const testOf = (word) => {
    if (!/^\\d+$/.test(word)) return (text) => text.includes(word);
    const whole = new RegExp('(^|[^\\\\p{L}\\\\p{N}:])' + word + '([^\\\\p{L}\\\\p{N}:]|$)', 'u');
    return (text) => whole.test(text);
  };
  // A heading without its counts.
  const ownWords = (head) => [...head.childNodes].map((node) => (node.localName === 'small' ? ' ' : node.textContent)).join('');

  let reports;
  let lines;
  let inWeek;
  const read = () => {
    const byId = new Map([...main.querySelectorAll('article')].map((element) => {
      const own = { is: element.querySelector('h3').textContent, to: '' };
      for (const term of element.querySelectorAll('dt')) {
        const words = ' ' + term.nextElementSibling.textContent.replace(/and \\d+ more/g, ', ');
        if (term.textContent.trim() === 'To') own.to += words;
        else if (term.textContent.trim() !== 'Last run') own.is += words;
      }
      const name = plain(element.querySelector('h3').firstChild.textContent).trim();
      const time = ' ' + plain(element.querySelector('p').textContent);
      return [element.id, { element, name, is: plain(own.is), to: plain(own.to), time, days: '' }];
    }));
    reports = [...byId.values()];
    const heads = new Map();
    const above = (group) => {
      if (!group) return '';
      if (!heads.has(group)) {
        const head = group.querySelector('h3,h4,h5');
        heads.set(group, (head ? plain(ownWords(head)) : '') + ' ' + above(group.parentElement.closest('.group')));
      }
      return heads.get(group);
    };
    lines = [...main.querySelectorAll('.group li')].map((element) => {
      const report = byId.get(element.querySelector('a').getAttribute('href').slice(1));
      const section = element.closest('section').id;
      const own = ' ' + above(element.closest('.group'));
      if (section === 'week') report.days += own;
      return { element, report, section, own };
    });
    inWeek = lines.filter(({ section }) => section === 'week');
  };

  let isMoved = false;
  // What begins so comes first, then what is meant by name. Of many, the order of names is the better one.
  const nameFirst = (words, tests) => {
    if (isMoved) all.append(...reports.map(({ element }) => element));
    const named = reports.filter(({ name }) => tests.every((test) => test(name)));
    isMoved = words.length > 0 && named.length > 0 && named.length < 200;
    if (!isMoved) return;
    const begins = ({ name }) => name.startsWith(words.join(' '));
    named.sort((a, b) => begins(b) - begins(a));
    all.querySelector('h2').after(...named.map(({ element }) => element));
  };

  // How many reports are found.
  const mark = (words) => {
    const tests = words.map(testOf);
    const holds = (text) => tests.every((test) => test(text));
    const isTimed = words.some(isTime);
    for (const report of reports) report.isFound = holds(report.is + report.to + report.time);
    for (const line of inWeek) {
      const { is, to, time } = line.report;
      line.isFound = holds(is + to + line.own + (isTimed ? '' : time));
    }
    for (const { report, isFound } of inWeek) if (isFound) report.isFound = true;
    for (const line of lines) {
      const { report, section, own } = line;
      if (section === 'people' || section === 'places' || section === 'outside')
        line.isFound = report.isFound && holds(report.is + report.time + report.days + own);
      else if (section !== 'week') line.isFound = report.isFound;
    }
    return reports.filter(({ isFound }) => isFound).length;
  };

  const showFound = (isOn) => {
    for (const { element, isFound } of [...reports, ...lines]) if (element.hidden === isFound) element.hidden = !isFound;
    main.classList.toggle('searching', isOn);
    for (const group of main.querySelectorAll('.group,.fold,main > section')) {
      group.hidden = isOn && !group.querySelector('article:not([hidden]),.group li:not([hidden])');
      group.classList.toggle('part', isOn && group.querySelector('li[hidden]') !== null);
    }
    for (const fold of main.querySelectorAll('details')) fold.open = isOn;
  };

  // The section, the person and the day that are named come first, then the reports.
  const arrange = (words) => {
    const isOn = words.length > 0;
    const tests = words.map(testOf);
    const [people, week] = [find('people'), find('week')];
    const isNamed = (head) => tests.every((test) => test(plain(ownWords(head))));
    const isPerson = people && [...people.querySelectorAll('.grid > .group > h3')].some(isNamed);
    const named = ['failed', 'paused', 'outside'].filter((id) => words.includes(id)).map(find);
    nameFirst(words, tests);
    main.append(...order);
    if (isOn) main.prepend(...[...named, isPerson && people, words.some(isTime) && week, all].filter(Boolean));
    ways.replaceChildren(...(isOn ? [...main.children] : []).filter((each) => !each.hidden).map((each) => {
      const way = document.createElement('a');
      way.href = '#' + each.id;
      way.textContent = each.querySelector('h2').textContent;
      return way;
    }));
    ways.hidden = ways.childElementCount === 0;
  };

  const countWords = (words, count) => {
    if (words.length === 0) return '';
    if (count === 0) return 'Nothing found. Try a name, a person or a day.';
    const deliveries = inWeek.filter(({ isFound }) => isFound).length;
    const when = words.filter(isTime).map((word) => (isDay(word) ? word[0].toUpperCase() + word.slice(1) : word));
    return words.some(isDay) && deliveries > 0
      ? deliveries + ' on ' + when.join(' ')
      : count + ' of ' + reports.length + (reports.length === 1 ? ' report' : ' reports');
  };

  const search = () => {
    if (!reports) read();
    let words = wordsIn(box.value);
    let count = mark(words);
    // All are reports, whatever they are called.
    if (count === 0) count = mark((words = words.filter((word) => !/^reports?$/.test(word))));
    showFound(words.length > 0);
    arrange(words);
    find('clear').hidden = words.length === 0 || count > 0;
    said.textContent = countWords(words, count);
  };
  const clear = () => {
    box.value = '';
    search();
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
      clear();
    }
  });
  find('clear').addEventListener('click', (event) => {
    event.preventDefault();
    clear();
    box.focus();
  });
  // What a link leads to is below the bar, however many lines the bar has.
  new ResizeObserver(() => {
    document.documentElement.style.setProperty('--bar', form.offsetHeight + 'px');
  }).observe(form);
})();
`;
