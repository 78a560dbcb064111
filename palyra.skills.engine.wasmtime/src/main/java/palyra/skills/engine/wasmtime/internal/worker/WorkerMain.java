package palyra.skills.engine.wasmtime.internal.worker;

import io.github.kawamuray.wasmtime.Engine;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import palyra.skills.engine.wasmtime.internal.protocol.Frame;
import palyra.skills.engine.wasmtime.internal.protocol.FrameStream;
import palyra.skills.engine.wasmtime.internal.protocol.Kind;
import palyra.skills.engine.wasmtime.internal.protocol.Messages;

/** The program of the worker. Ends when its standard input does. */
public final class WorkerMain {
    private WorkerMain() {}

    /**
     * Runs until the gateway goes.
     *
     * @param arguments number of calls at once; bytes of modules that are kept
     */
    public static void main(String[] arguments) throws IOException {
        InputStream in = new FileInputStream(FileDescriptor.in);
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err); // printed text must not reach the gateway
        FrameStream frames = new FrameStream(in, out, false);
        ModuleStore moduleStore = new ModuleStore(Long.parseLong(arguments[1]));
        Slots slots = new Slots(Integer.parseInt(arguments[0]), moduleStore, frames);
        warm();
        frames.send(
                new Frame(
                        Kind.HELLO, 0, new Messages.Hello(FrameStream.VERSION, version()).bytes()));
        beat(frames);
        int code = serve(frames, moduleStore, slots);
        Runtime.getRuntime().halt(code); // native code of calls under way is not waited for
    }

    /** A worker that is stopped or frozen says nothing more: that is how the gateway notices. */
    private static void beat(FrameStream frames) {
        Thread beating =
                new Thread(
                        () -> {
                            try {
                                while (true) {
                                    frames.send(new Frame(Kind.BEAT, 0));
                                    Thread.sleep(FrameStream.BEAT_MILLIS);
                                }
                            } catch (IOException | InterruptedException e) {
                                System.err.println("No more signs of life: " + e);
                            }
                        },
                        "beat");
        beating.setDaemon(true);
        beating.start();
    }

    /** Loads the library now: a worker that cannot says so instead of greeting. */
    private static void warm() {
        new Engine().close();
    }

    private static String version() {
        String version = System.getProperty("palyra.wasmtime.version", "");
        return version.isBlank() ? "unknown" : version;
    }

    private static int serve(FrameStream frames, ModuleStore moduleStore, Slots slots) {
        try {
            for (Frame frame = frames.receive(); frame != null; frame = frames.receive()) {
                switch (frame.kind()) {
                    case ORDER -> slots.order(frame.call(), Messages.Order.of(frame));
                    case CODE -> moduleStore.put(Messages.Code.of(frame));
                    case CANCEL -> slots.cancel(frame.call());
                    case READ, WRITE, DONE, HALT -> slots.deliver(frame);
                    case HELLO, NEED, BEGUN, HOST, BYTES, OUTSIDE, END, BEAT ->
                            throw new IOException("a frame of the worker itself");
                }
            }
            return 0;
        } catch (IOException e) {
            System.err.println("The gateway does not keep to the protocol: " + e);
            return 3;
        }
    }
}
