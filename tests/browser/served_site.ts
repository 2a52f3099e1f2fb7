import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launchChromium, serveSite } from "./support.mjs";

/** The site and a browser, both there from before a file's first test until after its last. */
export interface ServedSite {
  readonly server: Awaited<ReturnType<typeof serveSite>>;
  readonly browser: Browser;
}

/** Serves the site and starts Chromium for the tests of a file; call it before the file's own beforeAll. */
export function servedSite(): ServedSite {
  const site: { -readonly [part in keyof ServedSite]?: ServedSite[part] } = {};
  beforeAll(async () => {
    site.server = await serveSite();
    site.browser = await launchChromium();
  });
  afterAll(async () => {
    await site.browser?.close();
    site.server?.stop();
  });
  return site as ServedSite;
}
