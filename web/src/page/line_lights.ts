import { type Extension, Text } from "@codemirror/state";
import { EditorView, keymap, ViewPlugin } from "@codemirror/view";
import { LineLinks, type SourceLines } from "../locations/line_links.ts";
import type { Report, StageName } from "../report.ts";
import { EditedSource } from "./edited_source.ts";
import { lightLines, litLines } from "./lit_lines.ts";

/** What an editor shows: the kernel's source, or the text of a stage. */
export type TextName = StageName | "source";

/** Milliseconds that the pointer rests on a line before other texts scroll to its counterparts. */
const REST = 500;

const NOTHING: SourceLines = { lines: [], calls: [] };

interface LinkedView {
  readonly view: EditorView;
  readonly order: number;
  readonly name: () => TextName | null;
}

interface Point {
  readonly view: EditorView;
  readonly line: number;
}

/** Lights up, in every text, the lines that belong to the one that a person points at or chose. */
export class LineLights {
  #views: LinkedView[] = [];
  #report: Report | null = null;
  /** The compiled source and what was edited since; null before the first report. */
  #source: EditedSource | null = null;
  #links: LineLinks | null = null;
  /** Origins of the line where the cursor was put last; they stay lit. */
  #chosen: ReadonlySet<string> = new Set();
  #pointed: Point | null = null;
  #rest: ReturnType<typeof setTimeout> | undefined;

  /**
   * What makes an editor one of the linked texts.
   *
   * @param order its place among them, for the command that jumps from one to the next
   * @param name what it shows now; null for a text without links
   */
  extension(order: number, name: () => TextName | null): Extension {
    return [
      litLines,
      ViewPlugin.define((view) => {
        this.#views = [...this.#views, { view, order, name }].sort(
          (one, other) => one.order - other.order,
        );
        return {
          destroy: () => {
            this.#views = this.#views.filter((linked) => linked.view !== view);
            if (this.#pointed?.view === view) this.#pointed = null;
          },
        };
      }),
      EditorView.domEventHandlers({
        mousemove: (event, view) => {
          const block = view.lineBlockAtHeight(event.clientY - view.documentTop);
          this.#point({ view, line: view.state.doc.lineAt(block.from).number });
        },
        mouseleave: () => {
          this.#point(null);
        },
        // The cursor may already be there, so a click need not be a change of the selection.
        // After a tap, it is only moved later.
        click: ({ clientX, clientY }, view) => {
          this.#choose(view, view.posAtCoords({ x: clientX, y: clientY }, false));
        },
      }),
      EditorView.updateListener.of(({ view, transactions, docChanged, changes, state }) => {
        if (docChanged && name() === "source") this.#source?.edit(changes, state.doc);
        const moved = transactions.some(
          (one) => one.isUserEvent("select") && !one.isUserEvent("select.pointer"),
        );
        if (moved && !docChanged) this.#choose(view);
      }),
      keymap.of([{ key: "F2", run: (view) => this.#jump(view) }]),
    ];
  }

  /** Links the texts of a report from now on. */
  show(report: Report): void {
    this.#report = report;
    const compiled = Text.of(report.request.source.split(/\r\n?|\n/));
    const editor = this.#views.find(({ name }) => name() === "source");
    this.#source = new EditedSource(compiled, editor?.view.state.doc ?? compiled);
    this.#links = null;
    this.#chosen = new Set();
    this.#pointed = null;
    this.refresh();
    // Reading a large text takes a moment; nobody has to wait for it who does not use it.
    whenIdle(() => {
      if (this.#report === report) this.#read();
    });
  }

  /** Lights what is chosen in the texts that are shown now. */
  refresh(): void {
    this.#light(this.#chosen, null, true);
  }

  /** Where a line of the compiled source is now; null when nothing of it is left. */
  presentLine(line: number): number | null {
    return this.#source?.presentLine(line) ?? null;
  }

  #read(): LineLinks | null {
    const { compilation, request } = this.#report ?? {};
    if (!this.#links && compilation) {
      this.#links = new LineLinks(compilation.stages, request?.filename);
    }
    return this.#links;
  }

  #point(point: Point | null): void {
    const before = this.#pointed;
    if (before?.view === point?.view && before?.line === point?.line) return;
    this.#pointed = point;
    clearTimeout(this.#rest);
    if (!point) {
      this.#light(this.#chosen, null, false);
      return;
    }
    const origins = this.#originsAt(point.view, point.line);
    this.#light(origins, point.view, false);
    if (origins.size === 0) return;
    this.#rest = setTimeout(() => {
      this.#light(origins, point.view, true);
    }, REST);
  }

  #choose(view: EditorView, position = view.state.selection.main.head): void {
    clearTimeout(this.#rest);
    this.#chosen = this.#originsAt(view, view.state.doc.lineAt(position).number);
    this.#light(this.#chosen, view, true);
  }

  /** Goes to the counterpart in the next text that has one. */
  #jump(from: EditorView): boolean {
    this.#choose(from);
    const at = this.#views.findIndex(({ view }) => view === from);
    const others = [...this.#views.slice(at + 1), ...this.#views.slice(0, at)];
    for (const other of others) {
      const { lines, calls } = this.#linesIn(other, this.#chosen);
      const line = lines[0] ?? calls[0];
      if (line === undefined) continue;
      const anchor = other.view.state.doc.line(line).from;
      other.view.dispatch({
        selection: { anchor },
        effects: EditorView.scrollIntoView(anchor, { y: "center" }),
      });
      other.view.focus();
      return true;
    }
    return false;
  }

  #originsAt(view: EditorView, line: number): ReadonlySet<string> {
    const linked = this.#views.find((one) => one.view === view);
    const name = linked && this.#nameOf(linked);
    const links = name ? this.#read() : null;
    if (!links || !name) return new Set();
    if (name !== "source") return links.ofLine(name, line);
    const original = this.#source?.originalLine(line);
    return original ? links.ofSource(original) : new Set();
  }

  #linesIn(linked: LinkedView, origins: ReadonlySet<string>): SourceLines {
    const name = this.#nameOf(linked);
    const links = this.#links;
    if (!links || !name || origins.size === 0) return NOTHING;
    if (name === "source") return this.#present(links.sourceLines(origins));
    return { lines: links.linesIn(name, origins), calls: [] };
  }

  /** Where lines of the compiled source are now. */
  #present({ lines, calls }: SourceLines): SourceLines {
    const now = (some: readonly number[]) => some.flatMap((line) => this.presentLine(line) ?? []);
    return { lines: now(lines), calls: now(calls) };
  }

  /** Null for a text without links or that is not on the page. */
  #nameOf({ view, name }: LinkedView): TextName | null {
    return view.dom.offsetParent === null ? null : name();
  }

  #light(origins: ReadonlySet<string>, from: EditorView | null, scroll: boolean): void {
    for (const linked of this.#views) {
      lightLines(linked.view, this.#linesIn(linked, origins), scroll && linked.view !== from);
    }
  }
}

/** Not every browser says when it is idle. */
function whenIdle(action: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(action);
  else setTimeout(action, 0);
}
