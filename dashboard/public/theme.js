// Applies the chosen theme, or the system's, before the first paint.
(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem('theme');
    } catch {
      // If storage is forbidden, the system's theme applies.
    }
    const theme = chosen === 'light' || chosen === 'dark' ? chosen : dark.matches ? 'dark' : 'light';
    document.documentElement.dataset.theme = theme;
    // The colour around the page, like its background in styles.css: for a phone's bars and the installed app's window.
    const around = document.querySelector('meta[name="theme-color"]');
    around?.setAttribute('content', theme === 'dark' ? '#131316' : '#ffffff');
  };
  apply();
  dark.addEventListener('change', apply);
  addEventListener('themechange', apply);
  addEventListener('storage', apply);
})();
