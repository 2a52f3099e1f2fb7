import { element } from "./element.ts";
import { chooseTheme, chosenTheme, THEMES } from "./theme.ts";

/** Lets the person choose the page's theme. */
export function offerThemes(): void {
  const select = element("theme", HTMLSelectElement);
  select.value = chosenTheme();
  select.addEventListener("change", () => {
    chooseTheme(THEMES.find((theme) => theme === select.value) ?? "system");
  });
}
