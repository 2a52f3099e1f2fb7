// Before the first paint, so that nobody who chose a theme sees the other one flash. What is
// chosen later is src/page/theme.ts.
try {
  const theme = localStorage.getItem("triton-playground.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's theme is as good.
}
