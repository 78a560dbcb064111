package palyra.sandbox.internal.files;

import java.io.IOException;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.core.sandbox.WorkspaceFiles;

/**
 * Rolls an incomplete patch back. A file with the new content gets the old one back, a file with
 * the old content stays, and a file that another process changed meanwhile is left as it is and
 * reported. Idempotent; may be interrupted at any point.
 */
final class PatchRollback {
    private final PatchWorkspace ground;
    private final WriteGuard guard;
    private final PatchStepListener steps;

    PatchRollback(PatchWorkspace ground, WriteGuard guard, PatchStepListener steps) {
        this.guard = guard;
        this.ground = ground;
        this.steps = steps;
    }

    /** Takes back every interrupted patch of the workspace; returns the files left as they are. */
    List<String> leftovers() throws IOException, FileRefusal {
        List<String> left = new ArrayList<>();
        List<String> names;
        try (OpenFolder listed = ground.top().again()) {
            names = listed.names();
        }
        for (String name : names) {
            Optional<PosixFileAttributes> found =
                    name.startsWith(PatchFolder.PREFIX)
                            ? ground.top().attributes(name)
                            : Optional.empty();
            if (found.isPresent() && found.get().isDirectory()) {
                left.addAll(undo(name));
            }
        }
        return left;
    }

    /** Takes back one patch by its folder's name, and removes the folder. */
    List<String> undo(String name) throws IOException, FileRefusal {
        BeneathPath at = new BeneathPath(List.of(name));
        List<String> left = new ArrayList<>();
        try (OpenFolder staging = ground.top().child(name, at)) {
            Optional<FileState> plan = FileState.read(staging, at.child(PatchPlan.FILE));
            if (plan.isPresent()) {
                undo(
                        PatchPlan.read(ground.workspace(), guard, plan.get().content()),
                        staging,
                        left);
                steps.before("forget the plan");
                staging.deleteFile(PatchPlan.FILE);
                PatchFolder.sync(staging);
            }
        }
        remove(ground.top(), name);
        return left;
    }

    private void undo(PatchPlan plan, OpenFolder staging, List<String> left)
            throws IOException, FileRefusal {
        guard.checkRepositories(
                ground, plan.changes().stream().map(PatchPlan.Change::path).toList());
        for (int i = plan.changes().size() - 1; i >= 0; i--) {
            PatchPlan.Change change = plan.changes().get(i);
            if (!undo(change, staging, PatchPlan.saved(i))) {
                left.add(change.path().toString());
            }
        }
        for (int i = plan.folders().size() - 1; i >= 0; i--) {
            removeIfEmpty(plan.folders().get(i));
        }
    }

    private boolean undo(PatchPlan.Change change, OpenFolder staging, String saved)
            throws IOException, FileRefusal {
        OpenFolder parent;
        try {
            parent = ground.at(change.path().parent());
        } catch (FileRefusal e) {
            return change.before().isEmpty(); // its folder was not made, or went away
        }
        try (parent) {
            String name = change.path().name();
            String now = digest(parent, change.path());
            boolean modeOnly = change.before().equals(change.after());
            if (now.equals(change.before()) && (!modeOnly || !isThere(staging, saved))) {
                return true;
            }
            if (!now.equals(change.after())) {
                return false;
            }
            steps.before("take back " + change.path());
            if (change.before().isEmpty()) {
                parent.deleteFile(name);
            } else {
                staging.move(saved, parent, name);
            }
            PatchFolder.sync(parent);
            return true;
        }
    }

    private static boolean isThere(OpenFolder staging, String saved) throws IOException {
        return staging.attributes(saved).isPresent();
    }

    /**
     * Digest of a file; empty when it does not exist, {@code ?} when it is not a file that a patch
     * may change.
     */
    static String digest(OpenFolder parent, BeneathPath path) throws IOException {
        try {
            return FileState.read(parent, path, WorkspaceFiles.MAX_BYTES)
                    .map(FileState::sha256)
                    .orElse("");
        } catch (FileRefusal e) {
            return "?";
        }
    }

    private void removeIfEmpty(BeneathPath folder) throws IOException {
        try (OpenFolder parent = ground.at(folder.parent())) {
            parent.deleteFolder(folder.name());
        } catch (IOException | FileRefusal e) {
            return; // in use, or it was not made
        }
    }

    /** Removes a patch folder with the files in it. */
    static void remove(OpenFolder top, String name) throws IOException, FileRefusal {
        BeneathPath at = new BeneathPath(List.of(name));
        try (OpenFolder staging = top.child(name, at)) {
            for (String file : staging.names()) {
                staging.deleteFile(file);
            }
        }
        top.deleteFolder(name);
    }
}
