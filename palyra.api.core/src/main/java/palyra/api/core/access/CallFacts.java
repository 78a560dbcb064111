package palyra.api.core.access;

import java.util.Set;
import palyra.api.Require;

/**
 * What a call would do, as far as its executor can tell from the input before anything runs.
 * Policies read it. Facts are about the input as it is; nothing here is a secret.
 *
 * @param executable absolute real path of the program; empty when none is started
 * @param executableSha256 digest of that file, lower-case hex; empty when none is started
 * @param workingFolder absolute real path of where it would start; empty when none is started
 * @param subcommand first argument that is no option, where the program has sub-commands; may be
 *     empty
 * @param flags options given, without their values
 * @param argumentCount how many arguments there are
 * @param hosts host names and addresses that it would reach, lower case
 * @param ports ports that it would reach
 * @param methods HTTP methods that it would use, upper case
 * @param readPaths paths that it would read, absolute within the workspace
 * @param writePaths paths that it would write
 * @param secrets names of the secrets it would use, such as {@code vault:global/token}
 * @param workspace what the workspace holds; {@link WorkspaceState#NONE} unless it was asked for,
 *     see {@code palyra.api.core.tools.ToolProposed}
 */
public record CallFacts(
        String executable,
        String executableSha256,
        String workingFolder,
        String subcommand,
        Set<String> flags,
        int argumentCount,
        Set<String> hosts,
        Set<Integer> ports,
        Set<String> methods,
        Set<String> readPaths,
        Set<String> writePaths,
        Set<String> secrets,
        WorkspaceState workspace) {
    private static final CallFacts NONE =
            new CallFacts(
                    "",
                    "",
                    "",
                    "",
                    Set.of(),
                    0,
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    WorkspaceState.NONE);

    /** Checks and copies. */
    public CallFacts {
        executable = Require.orEmpty(executable);
        executableSha256 = Require.orEmpty(executableSha256);
        workingFolder = Require.orEmpty(workingFolder);
        subcommand = Require.orEmpty(subcommand);
        flags = Set.copyOf(flags);
        hosts = Set.copyOf(hosts);
        ports = Set.copyOf(ports);
        methods = Set.copyOf(methods);
        readPaths = Set.copyOf(readPaths);
        writePaths = Set.copyOf(writePaths);
        secrets = Set.copyOf(secrets);
        Require.present(workspace, "workspace");
    }

    /** Creates facts of a call whose workspace was not asked for. */
    public CallFacts(
            String executable,
            String executableSha256,
            String workingFolder,
            String subcommand,
            Set<String> flags,
            int argumentCount,
            Set<String> hosts,
            Set<Integer> ports,
            Set<String> methods,
            Set<String> readPaths,
            Set<String> writePaths,
            Set<String> secrets) {
        this(
                executable,
                executableSha256,
                workingFolder,
                subcommand,
                flags,
                argumentCount,
                hosts,
                ports,
                methods,
                readPaths,
                writePaths,
                secrets,
                WorkspaceState.NONE);
    }

    /** Creates facts of a program of which neither digest nor working folder is known. */
    public CallFacts(
            String executable,
            String subcommand,
            Set<String> flags,
            int argumentCount,
            Set<String> hosts,
            Set<Integer> ports,
            Set<String> methods,
            Set<String> readPaths,
            Set<String> writePaths,
            Set<String> secrets) {
        this(
                executable,
                "",
                "",
                subcommand,
                flags,
                argumentCount,
                hosts,
                ports,
                methods,
                readPaths,
                writePaths,
                secrets);
    }

    /** Returns the same facts in a workspace that holds what {@code state} says. */
    public CallFacts in(WorkspaceState state) {
        return new CallFacts(
                executable,
                executableSha256,
                workingFolder,
                subcommand,
                flags,
                argumentCount,
                hosts,
                ports,
                methods,
                readPaths,
                writePaths,
                secrets,
                state);
    }

    /** Returns no facts: the input says nothing about the world outside. */
    public static CallFacts none() {
        return NONE;
    }
}
