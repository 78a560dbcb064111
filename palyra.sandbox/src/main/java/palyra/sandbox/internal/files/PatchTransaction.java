package palyra.sandbox.internal.files;

import java.io.IOException;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Changes several files so that either all of them change or none. New contents and copies of the
 * old ones are on the medium, with a plan, before the first file is touched; then each file changes
 * by one rename. A failure before the plan is removed rolls the patch back: at once, or after a
 * crash by the next patch. For one use.
 */
final class PatchTransaction {
    private static final Set<PosixFilePermission> OWNER =
            PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER =
            PosixFilePermissions.fromString("rwxrwxrwx"); // less what the umask takes

    private final PatchWorkspace ground;
    private final WriteGuard guard;
    private final PatchStepListener steps;
    private final List<NewContent> contents;

    /**
     * What a file is to become.
     *
     * @param path where
     * @param before the current file; empty for a new one
     * @param after the new file; empty for a deleted one
     */
    record NewContent(BeneathPath path, Optional<FileState> before, Optional<FileState> after) {}

    PatchTransaction(
            PatchWorkspace ground,
            WriteGuard guard,
            PatchStepListener steps,
            List<NewContent> contents) {
        this.guard = guard;
        this.ground = ground;
        this.steps = steps;
        this.contents = List.copyOf(contents);
    }

    void run() throws IOException, FileRefusal {
        steps.before("make the patch folder");
        String name = PatchFolder.make(ground);
        try {
            work(name);
        } catch (IOException | FileRefusal | RuntimeException e) {
            takeBack(name, e);
            throw e;
        }
        try {
            PatchRollback.remove(ground.top(), name);
        } catch (IOException | FileRefusal e) {
            return; // committed; the next patch removes the remaining folder
        }
    }

    private void takeBack(String name, Exception cause) throws FileRefusal {
        boolean interrupted = Thread.interrupted(); // which would close every channel again
        try {
            List<String> left = new PatchRollback(ground, guard, steps).undo(name);
            if (!left.isEmpty()) {
                throw new FileRefusal(
                        FileRefusal.PATCH,
                        "The change failed and was taken back, but another process changed "
                                + left
                                + " meanwhile; look at these files.");
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
            throw new FileRefusal(
                    FileRefusal.PATCH,
                    "The change failed ("
                            + FileRefusal.shown(String.valueOf(cause.getMessage()))
                            + ") and could not be taken back yet; the next change of a file takes it"
                            + " back.");
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void work(String name) throws IOException, FileRefusal {
        try (OpenFolder staging = ground.top().child(name, new BeneathPath(List.of(name)))) {
            for (int i = 0; i < contents.size(); i++) {
                stage(staging, i);
            }
            PatchPlan plan = new PatchPlan(changes(), missingFolders());
            steps.before("write the plan");
            PatchFolder.write(staging, "plan.tmp", plan.json(), OWNER);
            PatchFolder.sync(staging);
            PatchFolder.sync(ground.top());
            steps.before("take the plan");
            staging.move("plan.tmp", staging, PatchPlan.FILE);
            PatchFolder.sync(staging);
            for (BeneathPath folder : plan.folders()) {
                steps.before("make folder " + folder);
                ground.make(folder, FOLDER);
                try (OpenFolder parent = ground.at(folder.parent())) {
                    PatchFolder.sync(parent);
                }
            }
            for (int i = 0; i < contents.size(); i++) {
                change(staging, plan.changes().get(i), i);
            }
            steps.before("end");
            staging.deleteFile(PatchPlan.FILE); // from here on it counts as done
            syncIfPossible(staging);
        }
    }

    /**
     * Without it a crash of the whole machine could bring the plan back, and take the patch back.
     */
    private static void syncIfPossible(OpenFolder staging) {
        try {
            PatchFolder.sync(staging);
        } catch (IOException e) {
            return; // the files are changed: to call that a failure would be wrong
        }
    }

    private void stage(OpenFolder staging, int index) throws IOException {
        NewContent content = contents.get(index);
        steps.before("stage " + content.path());
        if (content.after().isPresent()) {
            FileState after = content.after().get();
            PatchFolder.write(staging, PatchPlan.staged(index), after.content(), after.mode());
        }
        if (content.before().isPresent()) {
            FileState before = content.before().get();
            PatchFolder.write(staging, PatchPlan.saved(index), before.content(), before.mode());
        }
    }

    private List<PatchPlan.Change> changes() {
        return contents.stream()
                .map(
                        content ->
                                new PatchPlan.Change(
                                        content.path(),
                                        content.before().map(FileState::sha256).orElse(""),
                                        content.after().map(FileState::sha256).orElse("")))
                .toList();
    }

    private List<BeneathPath> missingFolders() throws IOException, FileRefusal {
        Set<BeneathPath> missing = new LinkedHashSet<>();
        for (NewContent content : contents) {
            if (content.after().isPresent()) {
                addMissing(content.path().parent(), missing);
            }
        }
        return new ArrayList<>(missing);
    }

    private void addMissing(BeneathPath folder, Set<BeneathPath> missing)
            throws IOException, FileRefusal {
        OpenFolder at = ground.top().again();
        BeneathPath path = new BeneathPath(List.of());
        boolean there = true;
        for (String name : folder.names()) {
            path = path.child(name);
            if (there) {
                try (OpenFolder above = at) {
                    there = above.attributes(name).isPresent();
                    at = there ? above.child(name, path) : null;
                }
            }
            if (!there) {
                missing.add(path);
            }
        }
        if (at != null) {
            at.close();
        }
    }

    private void change(OpenFolder staging, PatchPlan.Change change, int index)
            throws IOException, FileRefusal {
        steps.before("change " + change.path());
        try (OpenFolder parent = ground.at(change.path().parent())) {
            if (!PatchRollback.digest(parent, change.path()).equals(change.before())) {
                throw new FileRefusal(
                        FileRefusal.PATCH,
                        "'"
                                + FileRefusal.shown(change.path().toString())
                                + "' was changed by another program meanwhile. Nothing was changed.");
            }
            if (change.after().isEmpty()) {
                parent.deleteFile(change.path().name());
            } else {
                staging.move(PatchPlan.staged(index), parent, change.path().name());
            }
            PatchFolder.sync(parent);
        }
    }
}
