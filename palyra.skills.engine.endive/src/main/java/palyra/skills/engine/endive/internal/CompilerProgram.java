package palyra.skills.engine.endive.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.BundleWiring;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.DurableFiles;
import palyra.shared.worker.ProgramFiles;
import palyra.skills.engine.endive.internal.code.ConfinedCompilerStarter;

/** The compiler's program, as this bundle holds it: one jar in the state folder. */
final class CompilerProgram implements ConfinedCompilerStarter.Program {
    private static final String FOLDER = "wasm-compiler";
    private static final String JAR = "compiler.jar";
    private static final String OWN = "/palyra/skills/engine/endive/internal/";
    private static final List<String> PARTS =
            List.of(OWN + "protocol", OWN + "worker", "/run/endive", "/org/objectweb/asm");

    private final Bundle bundle;
    private final ProgramFiles files; // null without a state folder
    private final DurableFiles disk = new DurableFiles();

    /** Nothing is written before the first compilation; {@code state} may be null. */
    CompilerProgram(String state, Bundle bundle) {
        this.bundle = bundle;
        this.files =
                state == null || state.isBlank()
                        ? null
                        : new ProgramFiles(
                                Path.of(state).resolve(FOLDER),
                                "The compiler of WebAssembly",
                                () -> Map.of(JAR, jar()));
    }

    @Override
    public ConfinedCompilerStarter.Installed install(String scratch) {
        if (files == null) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The compiler of WebAssembly needs a state folder for its program; start the"
                            + " gateway with palyra up.");
        }
        ProgramFiles.Installed installed = files.install(scratch);
        return new ConfinedCompilerStarter.Installed(
                installed.program().resolve(JAR).toString(),
                List.of(installed.program().toString()),
                installed.scratch(),
                () -> disk.delete(installed.scratch()));
    }

    /** Reproducible bytes: sorted, without times, not compressed. */
    private byte[] jar() throws IOException {
        BundleWiring wiring = bundle.adapt(BundleWiring.class);
        if (wiring == null) {
            throw new IOException("this bundle was uninstalled");
        }
        Map<String, URL> classes = new TreeMap<>();
        for (String part : PARTS) {
            List<URL> found = wiring.findEntries(part, "*.class", BundleWiring.FINDENTRIES_RECURSE);
            if (found == null || found.isEmpty()) {
                throw new IOException("this bundle holds nothing in " + part);
            }
            for (URL each : found) {
                classes.put(each.getPath().replaceFirst("^/", ""), each);
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.setLevel(0);
            for (Map.Entry<String, URL> each : classes.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey());
                entry.setTimeLocal(LocalDateTime.of(1980, 2, 1, 0, 0)); // in no time zone
                zip.putNextEntry(entry);
                try (InputStream in = each.getValue().openStream()) {
                    in.transferTo(zip);
                }
            }
        }
        return bytes.toByteArray();
    }
}
