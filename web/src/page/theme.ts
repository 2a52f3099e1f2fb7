/** Also read by public/theme.js. */
const KEY = "triton-playground.theme";

export const THEMES = ["system", "light", "dark"] as const;

/** `system` is what the browser tells of the person's system. */
export type Theme = (typeof THEMES)[number];

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const watchers = new Set<() => void>();

/** The theme that was chosen. */
export function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return THEMES.find((known) => known === theme) ?? "system";
}

/** Chooses a theme, for this visit and those to come. */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be forbidden; the theme holds for this visit.
  }
  for (const watcher of watchers) watcher();
}

/** Whether the page is dark now. */
export function isDark(): boolean {
  const theme = chosenTheme();
  return theme === "system" ? systemIsDark.matches : theme === "dark";
}

/**
 * Has a function called whenever the page may have become dark or light.
 *
 * @returns ends that
 */
export function watchTheme(watcher: () => void): () => void {
  watchers.add(watcher);
  systemIsDark.addEventListener("change", watcher);
  return () => {
    watchers.delete(watcher);
    systemIsDark.removeEventListener("change", watcher);
  };
}
