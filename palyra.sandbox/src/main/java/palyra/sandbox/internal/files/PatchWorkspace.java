package palyra.sandbox.internal.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.FolderCalls;
import palyra.api.core.sandbox.HeldFolder;
import palyra.shared.gate.Gate;

/**
 * The workspace of one patch, opened once: the patch reads, writes and makes folders in this one,
 * even if another folder takes its place later. It is held twice, because the JDK makes no folder
 * relative to an open one. Not thread-safe.
 */
final class PatchWorkspace implements Closeable {
    private final Path workspace;
    private final OpenFolder top;
    private final HeldFolder held;

    private PatchWorkspace(Path workspace, OpenFolder top, HeldFolder held) {
        this.workspace = workspace;
        this.top = top;
        this.held = held;
    }

    /**
     * Opens a workspace.
     *
     * @param folders what opens folders; waited for as long as the gate allows
     * @throws PalyraException DENIED when a link or another folder takes the place of the workspace
     *     at this moment, TOOL_UNAVAILABLE when this system cannot make folders safely, or the
     *     service for it is missing
     */
    static PatchWorkspace open(Gate<FolderCalls> folders, Path workspace) throws IOException {
        OpenFolder top = OpenFolder.workspace(workspace);
        try {
            HeldFolder held = held(folders, workspace);
            if (!isSame(top, held)) {
                held.close();
                throw OpenFolder.exchanged(workspace);
            }
            return new PatchWorkspace(workspace, top, held);
        } catch (IOException | RuntimeException e) {
            top.close();
            throw e;
        }
    }

    private static HeldFolder held(Gate<FolderCalls> folders, Path workspace) throws IOException {
        try (Gate.Lease<FolderCalls> lease = folders.lease()) {
            return lease.service().open(workspace);
        } catch (NotDirectoryException e) {
            throw OpenFolder.exchanged(workspace);
        }
    }

    /**
     * Where an open folder has no path, compares by a file made through one handle and looked up
     * through the other.
     */
    private static boolean isSame(OpenFolder top, HeldFolder held) throws IOException {
        Optional<Path> current = held.current();
        return current.isEmpty()
                || top.key()
                        .equals(
                                Files.readAttributes(current.get(), BasicFileAttributes.class)
                                        .fileKey());
    }

    /** Returns the path of the workspace, which may lead elsewhere now. */
    Path workspace() {
        return workspace;
    }

    /** Returns the open workspace; closed with this. */
    OpenFolder top() {
        return top;
    }

    /** Opens a folder below. */
    OpenFolder at(BeneathPath path) throws IOException, FileRefusal {
        return top.at(path);
    }

    /**
     * Makes a folder, beneath folders that are no links.
     *
     * @param permissions of the folder, less what the umask takes
     * @throws PalyraException DENIED when one of those was exchanged meanwhile; nothing is left
     */
    void make(BeneathPath path, Set<PosixFilePermission> permissions) throws IOException {
        HeldFolder at = held.open(".");
        for (String name : path.parent().names()) {
            try (HeldFolder above = at) {
                at = above.open(name);
            }
        }
        try (HeldFolder parent = at) {
            parent.make(path.name(), permissions);
            if (!isSeen(path)) {
                parent.removeFolder(path.name());
                throw notSeen(path);
            }
        }
    }

    /** Whether what was made is there for the other way into the workspace too. */
    private boolean isSeen(BeneathPath path) {
        try (OpenFolder parent = top.at(path.parent())) {
            return parent.attributes(path.name()).isPresent();
        } catch (IOException | FileRefusal e) {
            return false;
        }
    }

    private static PalyraException notSeen(BeneathPath path) {
        return new PalyraException(
                ErrorCode.DENIED,
                "A folder of the workspace was exchanged while '"
                        + FileRefusal.shown(path.toString())
                        + "' was created in it; this was rolled back.");
    }

    @Override
    public void close() throws IOException {
        held.close();
        top.close();
    }
}
