package palyra.shared.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.DurableFiles;
import palyra.shared.files.MediumFailure;
import palyra.shared.hash.Digests;

/**
 * Installs a worker's program into a folder. The bundle is authoritative: before each start of a
 * worker every file is compared with it, and all are written again when one differs; files that an
 * earlier start of the gateway wrote is used again. Thread-safe.
 */
public final class ProgramFiles {
    private static final String SCRATCH = "scratch";

    private final Path folder;
    private final String worker;
    private final Content content;
    private final DurableFiles files = new DurableFiles();
    private final ReentrantLock lock = new ReentrantLock(); // guards the folder

    /** Digests of what belongs there, by path; empty before the first worker. Guarded by lock. */
    private Map<String, byte[]> digests = Map.of();

    /** The program's files in the bundle. */
    @FunctionalInterface
    public interface Content {
        /** Returns the files by path within the program's folder. */
        Map<String, byte[]> files() throws IOException;
    }

    /**
     * The installed files.
     *
     * @param program folder with the program; the worker reads it
     * @param scratch folder that the worker may write; empty
     */
    public record Installed(Path program, Path scratch) {}

    /**
     * Makes it; nothing is written before {@link #install}.
     *
     * @param worker what the worker is called in messages
     */
    public ProgramFiles(Path folder, String worker, Content content) {
        this.folder = folder;
        this.worker = worker;
        this.content = content;
    }

    /** As {@link #install(String)}, for a worker of which there is one at a time. */
    public Installed install() {
        return install(SCRATCH);
    }

    /**
     * Installs the files, and an empty scratch folder.
     *
     * @param scratch name of the scratch folder; what it held is removed
     * @throws PalyraException TOOL_UNAVAILABLE when that fails
     */
    public Installed install(String scratch) {
        lock.lock();
        try {
            files.makeFolder(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            Path real = folder.toRealPath();
            Path program = real.resolve("program");
            if (digests.isEmpty()) {
                digests = digestsOf(content.files());
            }
            if (!genuine(program)) {
                write(program);
            }
            Path own = real.resolve(scratch);
            files.delete(own);
            files.makeFolder(own);
            return new Installed(program, own);
        } catch (IOException | UncheckedIOException e) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    worker
                            + " cannot be put into its folder: "
                            + MediumFailure.sentence(e, folder)
                            + ".",
                    e);
        } finally {
            lock.unlock();
        }
    }

    private boolean genuine(Path program) throws IOException {
        for (Map.Entry<String, byte[]> one : digests.entrySet()) {
            Path file = program.resolve(one.getKey());
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    || !Arrays.equals(one.getValue(), Digests.sha256(Files.readAllBytes(file)))) {
                return false;
            }
        }
        return !digests.isEmpty();
    }

    /** Writes a new folder and puts it in place of the old one. */
    private void write(Path program) throws IOException {
        Path fresh = program.resolveSibling("program.new");
        files.delete(fresh);
        Map<String, byte[]> all = content.files();
        try {
            for (Map.Entry<String, byte[]> one : all.entrySet()) {
                Path file = fresh.resolve(one.getKey());
                files.makeFolder(file.getParent());
                Files.write(file, one.getValue());
            }
        } catch (IOException e) {
            files.delete(fresh); // what it took of the space is given back
            throw e;
        }
        files.delete(program);
        files.rename(fresh, program);
        digests = digestsOf(all);
    }

    private static Map<String, byte[]> digestsOf(Map<String, byte[]> all) {
        Map<String, byte[]> found = new HashMap<>();
        all.forEach((path, bytes) -> found.put(path, Digests.sha256(bytes)));
        return Map.copyOf(found);
    }
}
