package palyra.transport.grpc.internal.service.stream;

import io.grpc.Context;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.follow.LostContact;
import palyra.transport.grpc.internal.call.OpenStreams;

/** Virtual threads of streams: a failure in one ends its stream. */
public final class StreamThread {
    private StreamThread() {}

    /** Work that may wait. */
    @FunctionalInterface
    public interface Task {
        /** Does it. */
        void run() throws InterruptedException;
    }

    /** Starts a thread that works for a stream, within the context of its call. */
    public static void start(String name, Outbound<?> out, Task task) {
        Thread.ofVirtual().name(name).start(Context.current().wrap(() -> work(out, task)));
    }

    private static void work(Outbound<?> out, Task task) {
        try {
            task.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            out.fail(
                    new PalyraException(
                            ErrorCode.CANCELLED, "The stream was interrupted; open it again.", e));
        } catch (LostContact e) {
            out.fail(OpenStreams.lostContact(e));
        } catch (RuntimeException | Error e) {
            out.fail(e);
        }
    }
}
