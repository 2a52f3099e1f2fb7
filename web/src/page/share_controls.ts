import { decodeFragment, encodeFragment, FragmentError, isFragment } from "../share/fragment.ts";
import type { Snapshot } from "../share/snapshot.ts";
import { element } from "./element.ts";

/** Files larger than this, in bytes, are no kernel sources. */
const LARGEST_FILE = 2_000_000;

/** Characters from which some chat and mail programs cut a link. */
const LONG_LINK = 8000;

export interface ShareHost {
  /** What a link or a file is made from. */
  snapshot(): Snapshot;
  openSnapshot(snapshot: Snapshot): void;
  openSource(source: string): void;
  /** Tells the person what happened. */
  say(text: string, failed?: boolean): void;
}

/** Copies links, opens those that people follow, and reads and writes `.py` files. */
export class ShareControls {
  readonly #link = element("share-link", HTMLInputElement);
  readonly #file = element("open-file", HTMLInputElement);
  /** The file whose text is in the editor, as far as is known. */
  #opened: { name: string; windowsLines: boolean } | null = null;

  constructor(private readonly host: ShareHost) {
    element("copy-link", HTMLButtonElement).addEventListener("click", () => {
      void this.#copyLink();
    });
    element("save-file", HTMLButtonElement).addEventListener("click", () => {
      this.#saveFile();
    });
    element("open", HTMLButtonElement).addEventListener("click", () => {
      this.#file.click();
    });
    this.#file.addEventListener("change", () => {
      const file = this.#file.files?.[0];
      if (file) void this.#openFile(file);
      // So that choosing the same file again is a change.
      this.#file.value = "";
    });
    this.#acceptDrops();
    window.addEventListener("hashchange", () => {
      void this.openAddress();
    });
  }

  /** Opens what the page's address holds, if anything. */
  async openAddress(): Promise<void> {
    const { hash } = location;
    if (!isFragment(hash)) return;
    // A reload has to bring back what was edited since, not the link's text again.
    history.replaceState(null, "", location.pathname + location.search);
    try {
      this.host.openSnapshot(await decodeFragment(hash));
      this.#opened = null;
      this.host.say("Opened from the link. Undo brings your own text back.");
    } catch (error) {
      if (!(error instanceof FragmentError)) throw error;
      this.host.say(`${error.message} Your own text is as it was.`, true);
    }
  }

  async #copyLink(): Promise<void> {
    const fragment = await encodeFragment(this.host.snapshot());
    const link = location.href.replace(/#.*$/, "") + fragment;
    this.#link.value = link;
    const long =
      link.length > LONG_LINK
        ? ` It has ${link.length} characters, which some programs cut: a .py file is safer.`
        : "";
    try {
      await navigator.clipboard.writeText(link);
      this.#link.hidden = true;
      this.host.say(`Link copied: whoever opens it sees this kernel.${long}`);
    } catch {
      this.#link.hidden = false;
      this.#link.select();
      this.host.say(`The browser does not let this page copy; the link is marked.${long}`);
    }
  }

  #saveFile(): void {
    const { source, specialisation } = this.host.snapshot();
    const anchor = document.createElement("a");
    const text = this.#opened?.windowsLines ? source.replaceAll("\n", "\r\n") : source;
    anchor.href = URL.createObjectURL(new Blob([text], { type: "text/x-python" }));
    const name = specialisation.kernel.trim();
    const named = /^\w+$/.test(name) ? `${name}.py` : "kernel.py";
    anchor.download = this.#opened?.name ?? named;
    anchor.click();
    // The download has begun by then, and holds the bytes itself.
    setTimeout(() => {
      URL.revokeObjectURL(anchor.href);
    }, 10_000);
  }

  async #openFile(file: File): Promise<void> {
    try {
      if (file.size > LARGEST_FILE) {
        throw new Error(`it is larger than ${LARGEST_FILE / 1e6} MB`);
      }
      const bytes = await file.arrayBuffer();
      const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      this.host.openSource(text);
      this.#opened = { name: file.name, windowsLines: text.includes("\r\n") };
      this.host.say(`Opened ${file.name}. Undo brings the text before it back.`);
    } catch (error) {
      const reason = error instanceof TypeError ? "it is not UTF-8 text" : (error as Error).message;
      this.host.say(`${file.name} was not opened: ${reason}.`, true);
    }
  }

  /** In the capture phase: CodeMirror would insert a dropped file's text at the pointer. */
  #acceptDrops(): void {
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    for (const type of ["dragover", "drop"] as const) {
      document.addEventListener(
        type,
        (event) => {
          if (!carriesFiles(event)) return;
          event.preventDefault();
          event.stopPropagation();
          const file = type === "drop" ? event.dataTransfer?.files[0] : undefined;
          if (file) void this.#openFile(file);
        },
        { capture: true },
      );
    }
  }
}
