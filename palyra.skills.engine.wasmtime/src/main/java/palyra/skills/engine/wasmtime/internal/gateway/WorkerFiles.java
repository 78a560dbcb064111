package palyra.skills.engine.wasmtime.internal.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import palyra.shared.worker.ProgramFiles;

/**
 * The worker's program: its own classes, those of the binding, and the native library of this
 * platform. The library has a fixed place, so the binding never leaves copies of it in temporary
 * folders.
 */
public final class WorkerFiles {
    private static final String LIBRARY = "native/libwasmtime_jni.so";
    private static final String CLASSES = "classes/";

    private final ProgramFiles program;
    private final Content content;

    /** The program's files in the bundle. */
    public interface Content {
        /** Returns class files of the worker by path, such as {@code palyra/…/WorkerMain.class}. */
        Map<String, byte[]> classes() throws IOException;

        /** Returns jars, opened afresh: the binding and its logging api. */
        List<InputStream> jars() throws IOException;
    }

    /**
     * The installed files.
     *
     * @param folder with everything; the worker reads it
     * @param scratch folder that the worker may write; empty
     * @param classPath of the worker
     * @param libraryPath folder of the native library
     */
    public record Installed(Path folder, Path scratch, Path classPath, Path libraryPath) {}

    /** Makes it; nothing is written before {@link #install}. */
    public WorkerFiles(Path folder, Content content) {
        this.content = content;
        this.program = new ProgramFiles(folder, "The wasmtime worker", this::everything);
    }

    /** Installs the files, and an empty scratch folder; TOOL_UNAVAILABLE when that fails. */
    public Installed install() {
        ProgramFiles.Installed installed = program.install();
        return new Installed(
                installed.program(),
                installed.scratch(),
                installed.program().resolve(CLASSES),
                installed.program().resolve(LIBRARY).getParent());
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
            boolean moduleStore = name.matches("libwasmtime_jni_[0-9.]+_" + platform() + "\\.so");
            boolean wanted = name.matches("[\\w/$]+\\.class|[\\w-]+\\.properties");
            if (moduleStore || wanted) {
                all.put(moduleStore ? LIBRARY : CLASSES + name, zip.readAllBytes());
            }
        }
    }

    private static String platform() {
        String arch = System.getProperty("os.arch");
        return "linux_" + ("amd64".equals(arch) ? "x86_64" : arch);
    }
}
