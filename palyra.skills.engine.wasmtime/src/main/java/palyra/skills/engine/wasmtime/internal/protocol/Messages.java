package palyra.skills.engine.wasmtime.internal.protocol;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Bodies of frames. Each has {@code bytes()} and a reader that takes exactly these. */
public final class Messages {
    private static final int MOST_IMPORTS = 4_096;
    private static final int MOST_EXPORTS = 64;
    private static final int MOST_NUMBERS = 1_024;

    /** A body that is empty. */
    public static final Body NOTHING = () -> new byte[0];

    private Messages() {}

    /** The body of a frame. */
    @FunctionalInterface
    public interface Body {
        /** Returns the body. */
        byte[] bytes() throws IOException;
    }

    /**
     * The worker's first words.
     *
     * @param version of the protocol
     * @param engine version of wasmtime's binding
     */
    public record Hello(int version, String engine) implements Body {
        @Override
        public byte[] bytes() throws IOException {
            return new BodyWriter().number(version).text(engine).bytes();
        }

        /** Reads a body. */
        public static Hello of(Frame frame) throws IOException {
            BodyReader in = new BodyReader(frame);
            return in.end(new Hello(in.number(), in.text()));
        }
    }

    /**
     * A function that a call may import.
     *
     * @param parameters a letter for each: {@code i} i32, {@code l} i64, {@code f} f32, {@code d}
     *     f64
     * @param results the same
     */
    public record Given(String module, String name, String parameters, String results) {}

    /**
     * A call.
     *
     * @param digest of the module
     * @param start whether its start function is called first
     * @param exports functions to call; none means that the module is compiled only
     * @param pages most pages of its memory
     */
    public record Order(
            String digest,
            boolean start,
            List<String> exports,
            long fuel,
            int pages,
            List<Given> given)
            implements Body {
        @Override
        public byte[] bytes() throws IOException {
            BodyWriter out = new BodyWriter().text(digest).flag(start).number(exports.size());
            for (String export : exports) {
                out.text(export);
            }
            out.large(fuel).number(pages).number(given.size());
            for (Given one : given) {
                out.text(one.module()).text(one.name());
                out.text(one.parameters()).text(one.results());
            }
            return out.bytes();
        }

        /** Reads a body. */
        public static Order of(Frame frame) throws IOException {
            BodyReader in = new BodyReader(frame);
            String digest = in.text();
            boolean start = in.flag();
            List<String> exports = new ArrayList<>();
            for (int left = in.count(MOST_EXPORTS); left > 0; left--) {
                exports.add(in.text());
            }
            long fuel = in.large();
            int pages = in.number();
            List<Given> given = new ArrayList<>();
            for (int left = in.count(MOST_IMPORTS); left > 0; left--) {
                given.add(new Given(in.text(), in.text(), in.text(), in.text()));
            }
            return in.end(new Order(digest, start, exports, fuel, pages, given));
        }
    }

    /** A module. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Code(String digest, byte[] module) implements Body {
        @Override
        public byte[] bytes() throws IOException {
            return new BodyWriter().text(digest).rest(module).bytes();
        }

        /** Reads a body. */
        public static Code of(Frame frame) throws IOException {
            BodyReader in = new BodyReader(frame);
            return new Code(in.text(), in.rest());
        }
    }

    /** The code of a call begins; compiling it took some time. */
    public record Begun(long compileNanos) implements Body {
        @Override
        public byte[] bytes() throws IOException {
            return new BodyWriter().large(compileNanos).bytes();
        }

        /** Reads a body. */
        public static Begun of(Frame frame) throws IOException {
            BodyReader in = new BodyReader(frame);
            return in.end(new Begun(in.large()));
        }
    }

    /**
     * A call of a host function.
     *
     * @param function index in the order's list
     * @param size of the memory in bytes
     * @param fuel that the module has left
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record HostCall(int function, long size, long fuel, long[] arguments) implements Body {
        @Override
        public byte[] bytes() throws IOException {
            BodyWriter out = new BodyWriter().number(function).large(size).large(fuel);
            out.number(arguments.length);
            for (long argument : arguments) {
                out.large(argument);
            }
            return out.bytes();
        }

        /** Reads a body. */
        public static HostCall of(Frame frame) throws IOException {
            BodyReader in = new BodyReader(frame);
            int function = in.number();
            long size = in.large();
            long fuel = in.large();
            long[] arguments = new long[in.count(MOST_NUMBERS)];
            for (int at = 0; at < arguments.length; at++) {
                arguments[at] = in.large();
            }
            return in.end(new HostCall(function, size, fuel, arguments));
        }
    }

    /** A piece of memory: to read {@code length} bytes, or to write {@code bytes}. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Piece(int address, int length, byte[] content) implements Body {
        @Override
        public byte[] bytes() throws IOException {
            return new BodyWriter().number(address).number(length).rest(content).bytes();
        }

        /** Reads a body. */
        public static Piece of(Frame frame) throws IOException {
            BodyReader in = new BodyReader(frame);
            return new Piece(in.number(), in.number(), in.rest());
        }
    }

    /**
     * The end of a host function.
     *
     * @param value what it returned; 0 when it ended the call
     * @param fuel that the module has left after it
     */
    public record Answer(long value, long fuel) implements Body {
        @Override
        public byte[] bytes() throws IOException {
            return new BodyWriter().large(value).large(fuel).bytes();
        }

        /** Reads a body. */
        public static Answer of(Frame frame) throws IOException {
            BodyReader in = new BodyReader(frame);
            return in.end(new Answer(in.large(), in.large()));
        }
    }

    /** The end of a call; as in {@code WasmResult}. */
    public record End(
            CallEnding finish, long value, long fuelUsed, int pages, String detail, long runNanos)
            implements Body {
        @Override
        public byte[] bytes() throws IOException {
            return new BodyWriter()
                    .number(finish.ordinal())
                    .large(value)
                    .large(fuelUsed)
                    .number(pages)
                    .text(detail)
                    .large(runNanos)
                    .bytes();
        }

        /** Reads a body. */
        public static End of(Frame frame) throws IOException {
            BodyReader in = new BodyReader(frame);
            CallEnding[] all = CallEnding.values();
            CallEnding finish = all[in.count(all.length - 1)];
            return in.end(
                    new End(finish, in.large(), in.large(), in.number(), in.text(), in.large()));
        }
    }
}
