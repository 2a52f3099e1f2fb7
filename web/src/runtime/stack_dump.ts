/** How Python begins the frames it writes when its process dies. */
const HEADER = /^(Stack|Current thread .*) \(most recent call first\):$/;
const FRAME = /^ {2}File "/;
/** Frames of this project's own package, which say nothing about a person's script. */
const OWN_FRAME = /^ {2}File "[^"]*\/triton_playground\/[^"]*", line \d+ in /;

/** Text that Python wrote as it died, without this project's frames, and without a stack that had no others. */
export function withoutOwnFrames(written: string): string {
  const lines = written.split("\n").filter((line) => !OWN_FRAME.test(line));
  return lines
    .filter((line, at) => !HEADER.test(line) || FRAME.test(lines[at + 1] ?? ""))
    .join("\n")
    .trim();
}
