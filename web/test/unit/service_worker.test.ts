import { describe, expect, it } from "vitest";
import { isPage } from "../../src/service_worker/answer.ts";
import { dropOldShells, shellName } from "../../src/service_worker/shell.ts";

const scope = new URL("https://host.test/play/");

describe("the service worker", () => {
  it("takes only the page for the page", () => {
    const at = (path: string) => isPage(new URL(path, scope), scope);
    expect(at("./")).toBe(true);
    expect(at("./?x=1#code=A")).toBe(true);
    expect(at("index.html")).toBe(true);
    expect(at("compiler/a.zip")).toBe(false);
    expect(at("../")).toBe(false);
  });

  it("keeps this version and the one before, and leaves other sites of the host alone", async () => {
    const other = shellName(new URL("https://host.test/"), "9");
    const names = ["x", shellName(scope, "1"), other, shellName(scope, "2"), shellName(scope, "3")];
    const deleted: string[] = [];
    const caches = {
      keys: () => Promise.resolve(names),
      delete: (name: string) => Promise.resolve(deleted.push(name) > 0),
    } as Partial<CacheStorage> as CacheStorage;
    await dropOldShells(caches, scope, shellName(scope, "3"));
    expect(deleted).toEqual([shellName(scope, "1")]);
  });
});
