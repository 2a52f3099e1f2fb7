/**
 * Keeps the page in this browser, so that it opens without a network. A browser that forbids it,
 * for example in a private window, has the page as before.
 */
export async function keepForOffline(): Promise<void> {
  const container = (navigator as Partial<Navigator>).serviceWorker;
  try {
    await container?.register("service_worker.js");
  } catch {
    // Nothing is lost but the visit without a network.
  }
}
