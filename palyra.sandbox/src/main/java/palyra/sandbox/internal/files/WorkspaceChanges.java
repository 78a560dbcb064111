package palyra.sandbox.internal.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import palyra.api.core.sandbox.FolderCalls;
import palyra.sandbox.internal.workspace.ProtectedPaths;
import palyra.shared.gate.Gate;

/**
 * Changes files of workspaces for all file tools that do: one call at a time in each workspace,
 * after what an interrupted one left was rolled back. Thread-safe.
 */
final class WorkspaceChanges {
    private final Supplier<ProtectedPaths> protectedPaths;
    private final Gate<FolderCalls> folders;
    private final PatchStepListener steps;
    private final Map<Path, ReentrantLock> locks = new ConcurrentHashMap<>(); // one a workspace

    /**
     * Creates.
     *
     * @param protectedPaths what must not be written
     * @param folders what makes folders relative to open ones
     */
    WorkspaceChanges(
            Supplier<ProtectedPaths> protectedPaths,
            Gate<FolderCalls> folders,
            PatchStepListener steps) {
        this.protectedPaths = protectedPaths;
        this.folders = folders;
        this.steps = steps;
    }

    /** Works out what files become; changes none. */
    interface Maker {
        /** Returns the files that change. */
        List<PatchTransaction.NewContent> contents(PatchWorkspace ground)
                throws IOException, FileRefusal;
    }

    /** Returns what keeps protected paths of a workspace. */
    WriteGuard guard(Path workspace) {
        return new WriteGuard(workspace, protectedPaths);
    }

    /**
     * Changes all files or none.
     *
     * @return files that another program changed after an interrupted call did, left as they are
     */
    List<String> change(Path workspace, Maker maker)
            throws IOException, FileRefusal, InterruptedException {
        ReentrantLock lock = locks.computeIfAbsent(workspace, w -> new ReentrantLock());
        lock.lockInterruptibly();
        try (PatchWorkspace ground = PatchWorkspace.open(folders, workspace)) {
            List<String> left = new PatchRollback(ground, guard(workspace), steps).leftovers();
            List<PatchTransaction.NewContent> contents = maker.contents(ground);
            if (!contents.isEmpty()) {
                guard(workspace)
                        .checkRepositories(
                                ground,
                                contents.stream().map(PatchTransaction.NewContent::path).toList());
                new PatchTransaction(ground, guard(workspace), steps, contents).run();
            }
            return left;
        } finally {
            lock.unlock();
        }
    }
}
