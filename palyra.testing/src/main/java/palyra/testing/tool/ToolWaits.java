package palyra.testing.tool;

import palyra.testing.wait.Await;

/** Waiting for threads of tools. */
final class ToolWaits {
    private ToolWaits() {}

    /** Waits until a thread waits for something, or ended. */
    static void awaitWaiting(Thread thread) {
        Await.until(
                "thread " + thread.getName() + " to wait for something",
                () ->
                        switch (thread.getState()) {
                            case WAITING, TIMED_WAITING, BLOCKED, TERMINATED -> true;
                            case NEW, RUNNABLE -> false;
                        });
    }
}
