package palyra.api.core.sandbox;

import java.io.IOException;
import java.io.OutputStream;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.Require;
import palyra.api.core.tools.ToolExamination;

/**
 * Reads and writes whole files of workspaces for tools of other bundles, with the checks and the
 * refusals of the file tools: paths and links stay within the workspace, protected paths are not
 * written, a file changes in one step or not at all. Thread-safe.
 *
 * <p>A tool calls {@link #examine} before its call is decided; what it reads or writes then is
 * refused when the path leads elsewhere meanwhile.
 */
@ProviderType
public interface WorkspaceFiles {
    /** Largest file that is read or written, in bytes. */
    int MAX_BYTES = 32 << 20;

    /**
     * A file of a workspace.
     *
     * @param agentId agent whose workspace it is
     * @param path relative to the workspace, or absolute and in it
     * @param factsSha256 digest of the facts that were decided on; empty when none were
     */
    record Target(String agentId, String path, String factsSha256) {
        /** Checks. */
        public Target {
            Require.text(agentId, "agent id");
            Require.text(path, "path");
            factsSha256 = Require.orEmpty(factsSha256);
        }
    }

    /**
     * What was read.
     *
     * @param path relative to the workspace, as file tools show it
     * @param bytes the content
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as read
    record Content(String path, byte[] bytes) {}

    /**
     * What was written.
     *
     * @param path relative to the workspace, as file tools show it
     * @param bytes size
     * @param sha256 digest of the content, lower-case hex
     * @param replaced whether a file was there before
     */
    record Written(String path, long bytes, String sha256, boolean replaced) {}

    /** Where a content comes from. */
    @FunctionalInterface
    interface Source {
        /** Writes the content; called once, when a file may be written there. */
        void writeTo(OutputStream out) throws IOException, InterruptedException;
    }

    /**
     * Finds out what reading or writing a file comes to: facts without a description, or the
     * refusal.
     */
    ToolExamination examine(String agentId, String path, boolean writes);

    /**
     * Reads a regular file.
     *
     * @param maxBytes most bytes that it may have, at most {@link #MAX_BYTES}
     * @throws palyra.api.PalyraException DENIED for a path that is refused or leads elsewhere now,
     *     NOT_FOUND, RESOURCE_EXHAUSTED when it is larger, TOOL_UNAVAILABLE
     */
    Content read(Target target, int maxBytes) throws IOException;

    /**
     * Writes a file with the folders that it needs. The source is asked when the path, and the room
     * in the workspace, are known to be fine.
     *
     * @param replace whether a file that is there is replaced
     * @param maxBytes most bytes that the source may write, at most {@link #MAX_BYTES}
     * @throws palyra.api.PalyraException as {@link #read}, ALREADY_EXISTS for a file that is there,
     *     RESOURCE_EXHAUSTED when the source writes more or the workspace has no room
     */
    Written write(Target target, boolean replace, int maxBytes, Source source)
            throws IOException, InterruptedException;
}
