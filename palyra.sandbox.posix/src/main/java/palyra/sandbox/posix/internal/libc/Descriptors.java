package palyra.sandbox.posix.internal.libc;

import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Opens descriptors and encodes texts for the kernel. Thread-safe. */
public final class Descriptors {
    private static final long NOEXEC_SEAL = 8;
    private static final long CLOEXEC_SEALABLE = 3;
    private static final int ADD_SEALS = 1033;
    private static final int EVERY_SEAL = 15;
    private static final int PIPE_HOLDS = 16_384;

    private final Libc libc;

    /** Creates it. */
    public Descriptors(Libc libc) {
        this.libc = libc;
    }

    /** Both ends of a pipe. */
    public record Pipe(int reading, int writing) {}

    /** Returns a new pipe; both ends are closed at execution. */
    public Pipe pipe() {
        try (Arena arena = new Arena()) {
            Pointer two = arena.zeros(8);
            need(libc.pipe(two), "a pipe");
            return new Pipe(two.getInt(0), two.getInt(4));
        }
    }

    /** Returns the opened null device. */
    public int nullDevice(boolean forWriting) {
        try (Arena arena = new Arena()) {
            Pointer path = arena.string("/dev/null".getBytes(StandardCharsets.US_ASCII));
            return need(forWriting ? libc.openWrite(path) : libc.openRead(path), "the null device");
        }
    }

    /** Returns an existing file opened for writing, or the negated error number. */
    public int openForWriting(String path) {
        try (Arena arena = new Arena()) {
            return libc.openWrite(arena.string(bytes(path, "a path")));
        }
    }

    /**
     * Returns a file or folder opened with O_PATH by its real path; Linux only.
     *
     * @throws PalyraException NOT_FOUND when nothing is there; and as {@link RealPaths#open}
     */
    public int place(String path) {
        if (!libc.os().linux()) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "Opened paths can be passed to processes on Linux only, not "
                            + path
                            + " here.");
        }
        try (Arena arena = new Arena()) {
            int opened = RealPaths.open(libc, arena.string(bytes(path, "A path")), path);
            if (opened < 0) {
                throw new PalyraException(
                        ErrorCode.NOT_FOUND,
                        "The path "
                                + path
                                + " does not exist any more, so the command is not started.");
            }
            return opened;
        }
    }

    /**
     * Returns a descriptor from which {@code content} can be read once: a sealed memory file, or a
     * pipe where the system has none. See memfd_create(2).
     */
    public int reading(byte[] content) {
        return libc.os().linux() ? memory(content) : filledPipe(content);
    }

    private int memory(byte[] content) {
        try (Arena arena = new Arena()) {
            long name = Pointer.nativeValue(arena.string(new byte[] {'p'}));
            long made = libc.system(LinuxCall.MEMFD_CREATE, name, CLOEXEC_SEALABLE | NOEXEC_SEAL);
            if (made == -Errno.EINVAL) {
                made = libc.system(LinuxCall.MEMFD_CREATE, name, CLOEXEC_SEALABLE);
            }
            int file = need((int) made, "a file in memory");
            try {
                fill(file, content);
                Libc.plain(libc.function("lseek"), file, 0L, 0);
                if (Libc.plain(libc.function("fcntl"), file, ADD_SEALS, EVERY_SEAL) != 0) {
                    throw new PalyraException(
                            ErrorCode.TOOL_UNAVAILABLE,
                            "This kernel does not seal files in memory, so data cannot be passed"
                                    + " to a process safely.");
                }
            } catch (RuntimeException failed) {
                libc.close(file);
                throw failed;
            }
            return file;
        }
    }

    private int filledPipe(byte[] content) {
        if (content.length > PIPE_HOLDS) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "A process can be passed "
                            + PIPE_HOLDS
                            + " bytes on this system, not "
                            + content.length
                            + ".");
        }
        Pipe pipe = pipe();
        try {
            fill(pipe.writing(), content);
        } catch (RuntimeException failed) {
            libc.close(pipe.reading());
            throw failed;
        } finally {
            libc.close(pipe.writing());
        }
        return pipe.reading();
    }

    private void fill(int descriptor, byte[] content) {
        try (Arena arena = new Arena()) {
            Pointer bytes = arena.string(content);
            long done = 0;
            while (done < content.length) {
                long written = libc.write(descriptor, bytes.share(done), content.length - done);
                if (written != -Errno.EINTR) {
                    need((int) Math.min(written, 1), "data for a process");
                    done += written;
                }
            }
        }
    }

    private static int need(int result, String what) {
        if (result >= 0) {
            return result;
        }
        throw new PalyraException(
                ErrorCode.RESOURCE_EXHAUSTED,
                "The system refused " + what + ": " + Errno.words(-result) + ".");
    }

    /**
     * Returns a text as UTF-8, independent of the JVM's locale.
     *
     * @throws PalyraException INVALID_ARGUMENT when it contains a NUL or half of a surrogate pair
     */
    public static byte[] bytes(String text, String what) {
        if (text.indexOf('\0') >= 0) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    what + " holds a NUL character, which no program can be given.");
        }
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException broken) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    what + " holds half of a surrogate pair, which has no bytes.",
                    broken);
        }
    }
}
