// Sets colour scheme and language before the first paint, so that nothing flashes. A file, because inline scripts are refused.
(function () {
  var root = document.documentElement;
  var scheme = null;
  try {
    scheme = localStorage.getItem('mantine-color-scheme-value');
    if (localStorage.getItem('languageSet') === 'en') root.lang = 'en';
  } catch {
    // Storage may be forbidden; the defaults stand.
  }
  if (scheme !== 'light' && scheme !== 'dark') {
    scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }
  root.setAttribute('data-mantine-color-scheme', scheme);
})();
