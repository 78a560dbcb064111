package palyra.sandbox.posix.internal.folder;

import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.sandbox.FolderCalls;
import palyra.api.core.sandbox.HeldFolder;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.Os;

/**
 * Opens folders for other bundles. The C library is looked for when it is first needed, because JNA
 * unpacks a library for that. Keeps no state: the caller owns the opened folders.
 */
@Component(name = "palyra.sandbox.posix.folders", immediate = true, service = FolderCalls.class)
public final class FolderComponent implements FolderCalls {
    private volatile FolderFunctions found; // null until it was needed

    /** Called by the component runtime. */
    @Activate
    public FolderComponent() {}

    private FolderFunctions functions() {
        try {
            FolderFunctions functions = found;
            if (functions == null) {
                functions = new FolderFunctions(new Libc(Os.here()));
                found = functions;
            }
            return functions;
        } catch (LinkageError e) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "Folders cannot be opened, because the C library cannot be called: "
                            + e.getMessage()
                            + "; give JNA a folder where programs may be executed by"
                            + " -Djna.tmpdir=FOLDER.",
                    e);
        }
    }

    @Override
    public HeldFolder open(Path folder) throws FileSystemException {
        Require.that(
                folder != null && folder.isAbsolute() && folder.normalize().equals(folder),
                "the folder " + folder + " has no absolute path without . and ..");
        OpenedFolder at = OpenedFolder.root(functions());
        for (Path name : folder) {
            try (OpenedFolder above = at) {
                at = above.open(name.toString());
            }
        }
        return at;
    }
}
