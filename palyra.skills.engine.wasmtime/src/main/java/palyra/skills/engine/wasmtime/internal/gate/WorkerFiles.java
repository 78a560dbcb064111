package palyra.skills.engine.wasmtime.internal.gate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.DurableFiles;
import palyra.shared.files.MediumFailure;
import palyra.shared.hash.Digests;

/**
 * Puts the worker's program into a folder: its own classes, those of the binding, and the native
 * library of this platform. The bundle is the truth: before each start of a worker every file is
 * compared with it, and all are written anew when one differs; what an earlier start of the gateway
 * wrote is used again. The library has a fixed place, so the binding never leaves copies of it in
 * temporary folders. Not for two threads at a time.
 */
public final class WorkerFiles {
    private static final String LIBRARY = "native/libwasmtime_jni.so";
    private static final String CLASSES = "classes/";

    private final Path folder;
    private final Content content;
    private final DurableFiles files = new DurableFiles();

    /** Digests of what belongs there, by path; empty before the first worker. */
    private Map<String, byte[]> digests = Map.of();

    /** What the bundle holds. */
    public interface Content {
        /** Returns class files of the worker by path, such as {@code palyra/…/WorkerMain.class}. */
        Map<String, byte[]> classes() throws IOException;

        /** Returns jars, opened afresh: the binding and its logging api. */
        List<InputStream> jars() throws IOException;
    }

    /**
     * What was put there.
     *
     * @param folder with everything; the worker reads it
     * @param scratch folder that the worker may write; empty
     * @param classPath of the worker
     * @param libraryPath folder of the native library
     */
    public record Installed(Path folder, Path scratch, Path classPath, Path libraryPath) {}

    /** Makes it; nothing is written before {@link #install}. */
    public WorkerFiles(Path folder, Content content) {
        this.folder = folder;
        this.content = content;
    }

    /** Puts everything there, and an empty scratch folder; TOOL_UNAVAILABLE when that fails. */
    public Installed install() {
        try {
            files.makeFolder(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            Path real = folder.toRealPath();
            Path program = real.resolve("program");
            if (digests.isEmpty()) {
                digests = digestsOf(everything());
            }
            if (!genuine(program)) {
                write(program);
            }
            Path scratch = real.resolve("scratch");
            files.delete(scratch);
            files.makeFolder(scratch);
            return new Installed(
                    program,
                    scratch,
                    program.resolve(CLASSES),
                    program.resolve(LIBRARY).getParent());
        } catch (IOException | UncheckedIOException e) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The wasmtime worker cannot be put into its folder: "
                            + MediumFailure.sentence(e, folder)
                            + ".",
                    e);
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
        Map<String, byte[]> all = everything();
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

    private Map<String, byte[]> everything() throws IOException {
        Map<String, byte[]> all = new HashMap<>();
        content.classes().forEach((path, bytes) -> all.put(CLASSES + path, bytes));
        for (InputStream jar : content.jars()) {
            try (ZipInputStream zip = new ZipInputStream(jar)) {
                unpack(zip, all);
            }
        }
        if (!all.containsKey(LIBRARY)) {
            throw new IOException("the binding has no library for " + platform());
        }
        return all;
    }

    /** Takes classes and this platform's library out of a jar. */
    private static void unpack(ZipInputStream zip, Map<String, byte[]> all) throws IOException {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            String name = entry.getName();
            boolean library = name.matches("libwasmtime_jni_[0-9.]+_" + platform() + "\\.so");
            boolean wanted = name.matches("[\\w/$]+\\.class|[\\w-]+\\.properties");
            if (library || wanted) {
                all.put(library ? LIBRARY : CLASSES + name, zip.readAllBytes());
            }
        }
    }

    private static String platform() {
        String arch = System.getProperty("os.arch");
        return "linux_" + ("amd64".equals(arch) ? "x86_64" : arch);
    }
}
