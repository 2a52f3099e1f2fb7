/** A connection of a given speed between a browser and a served site. */
import { createServer, request } from "node:http";
import { Transform } from "node:stream";

/** Milliseconds between two portions of a throttled answer. */
const TICK = 10;

/**
 * Forwards every request to a site and lets its answers through at the speed of a network.
 *
 * A browser's own throttling leaves out what its workers fetch, which here is nearly everything.
 *
 * @param {string} site address of the served site
 * @param {{ megabits: number, latency: number }} speed all answers together in Mbit/s, and milliseconds before each
 * @returns {Promise<{ address: string, stop: () => void }>}
 */
export async function slowNetwork(site, { megabits, latency }) {
  const line = sharedLine((megabits * 1e6) / 8);
  const proxy = createServer((incoming, outgoing) => {
    setTimeout(() => {
      const { method, headers, url } = incoming;
      const forwarded = request(new URL(url ?? "/", site), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(line()).pipe(outgoing);
      });
      forwarded.on("error", () => outgoing.destroy());
      incoming.pipe(forwarded);
    }, latency);
  });
  await new Promise((listening) => proxy.listen(0, "127.0.0.1", () => listening(undefined)));
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    address: `http://127.0.0.1:${address.port}/`,
    stop: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

/**
 * @param {number} bytesPerSecond of all streams together
 * @returns {() => Transform} makes a stream that goes through the line
 */
function sharedLine(bytesPerSecond) {
  let freeAt = 0;
  return () =>
    new Transform({
      // Node reads files in pieces of 64 KiB: fine enough for speeds of megabits.
      transform(chunk, _encoding, done) {
        const now = performance.now();
        freeAt = Math.max(freeAt, now - TICK) + (chunk.length / bytesPerSecond) * 1000;
        setTimeout(() => done(null, chunk), Math.max(0, freeAt - now));
      },
    });
}
