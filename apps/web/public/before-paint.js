// Sets colour scheme and language before the first paint, so that nothing flashes, and asks for the files of the page.
// A file, because inline scripts are refused.
(function () {
  var root = document.documentElement;
  var scheme = null;
  var isSignedIn = false;
  try {
    scheme = localStorage.getItem('mantine-color-scheme-value');
    if (localStorage.getItem('languageSet') === 'en') root.lang = 'en';
    isSignedIn = localStorage.getItem('userToken') !== null;
  } catch {
    // Storage may be forbidden; the defaults stand.
  }
  if (scheme !== 'light' && scheme !== 'dark') {
    scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }
  root.setAttribute('data-mantine-color-scheme', scheme);

  // The build lists them by the first part of the address (vite.config.ts).
  var list = document.querySelector('meta[name="page-files"]');
  var part = location.pathname.split('/')[1];
  var page = part === '' && isSignedIn ? 'matdata' : part;
  var known = list ? JSON.parse(list.content) : { files: [], pages: {} };
  var numbers = known.pages[page] || [];
  for (var i = 0; i < numbers.length; i++) {
    var link = document.createElement('link');
    var file = known.files[numbers[i]];
    var isStyle = file.endsWith('.css');
    link.rel = isStyle ? 'preload' : 'modulepreload';
    if (isStyle) link.as = 'style';
    link.crossOrigin = '';
    link.href = '/' + file;
    document.head.appendChild(link);
  }
})();
