package palyra.sandbox.internal.run;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** Configuration of sandboxed commands. */
@ObjectClassDefinition(
        name = "Palyra sandboxes",
        description = "Which programs agents may run in sandboxes, where, and within what limits.")
public @interface SandboxConfiguration {
    /** The PID. */
    String PID = "palyra.sandbox";

    /** Folder of workspaces. */
    @AttributeDefinition(
            required = false,
            description =
                    "Folder in which each agent has a workspace of its own, absolute. Empty means"
                            + " the framework property palyra.workspaces, or else a folder beside"
                            + " the state folder with -workspaces at its end.")
    String workspaces() default "";

    /** Workspaces of single agents. */
    @AttributeDefinition(
            required = false,
            description = "Workspaces elsewhere, each as AGENT=FOLDER with an absolute folder.")
    String[] agentWorkspaces() default {};

    /** Programs. */
    @AttributeDefinition(
            required = false,
            description =
                    "Bare names of the programs that may be run. Empty means any on the search"
                            + " path; policy still decides on each call.")
    String[] allowedCommands() default {};

    /** Interpreters. */
    @AttributeDefinition(
            description =
                    "Whether shells, scripting languages and programs that start other programs may"
                            + " be run in every sandbox. Without it they run in tier C with strict"
                            + " egress alone, where policy decides.")
    boolean allowInterpreters() default false;

    /** Search path. */
    @AttributeDefinition(description = "Absolute folders in which programs are looked for.")
    String[] searchPath() default {"/usr/local/bin", "/usr/bin", "/bin"};

    /** Protected paths. */
    @AttributeDefinition(
            required = false,
            description =
                    "Paths within each workspace that no command and no file tool may write, since"
                            + " programs outside would execute the content. Sandboxes keep"
                            + " plain paths read-only where they can; **/NAME is for file tools"
                            + " alone, at any depth.")
    String[] protectedPaths() default {
        ".git/hooks",
        ".git/config",
        ".git/commondir",
        ".vscode",
        ".idea",
        ".zed",
        ".mcp.json",
        ".claude",
        ".codex",
        ".cursor",
        ".gemini",
        ".ripgreprc",
        ".bashrc",
        ".bash_profile",
        ".profile",
        ".zshrc",
        ".zprofile",
        ".gitconfig",
        "**/.git",
        "**/.gitmodules",
        "**/.hg",
        "**/.svn",
        "**/.bash_login",
        "**/.bash_logout",
        "**/.bash_aliases",
        "**/.zshenv",
        "**/.zlogin",
        "**/.zlogout",
        "**/.kshrc",
        "**/.mkshrc",
        "**/.cshrc",
        "**/.tcshrc",
        "**/.login",
        "**/.logout",
        "**/.inputrc",
        "**/.envrc",
        "**/.config/fish"
    };

    /** How repositories are protected. */
    @AttributeDefinition(
            description =
                    "How repositories of git are protected from commands. checked: commands may"
                            + " write settings and hooks, and at the end of each what could run"
                            + " code outside of the sandbox is undone and said. frozen: sandboxes"
                            + " keep settings and hooks read-only where they can, so that git"
                            + " init, config and remote do not work.",
            options = {@Option("checked"), @Option("frozen")})
    String gitConfig() default "checked";

    /** Name of who commits. */
    @AttributeDefinition(
            required = false,
            description = "Name of who commits in a sandbox; empty for the agent's id.")
    String gitName() default "";

    /** Mail address of who commits. */
    @AttributeDefinition(
            required = false,
            description =
                    "Mail address of who commits in a sandbox; empty for the agent's id at"
                            + " agents.invalid.")
    String gitEmail() default "";

    /** Further readable paths. */
    @AttributeDefinition(
            required = false,
            description = "Further absolute paths of the host that commands may read.")
    String[] readOnlyPaths() default {};

    /** Missing kernel features. */
    @AttributeDefinition(
            required = false,
            description =
                    "Kernel features that may be missing: landlock, seccomp, cgroup. A sandbox"
                            + " refuses to run when any other feature is missing.")
    String[] permitMissing() default {"cgroup"};

    /** Most commands. */
    @AttributeDefinition(
            min = "1",
            max = "1000",
            description = "Most sandboxed commands at one time, background ones included.")
    int maxRunning() default 16;

    /** Grace of a backend that leaves. */
    @AttributeDefinition(
            min = "0",
            max = "60000",
            description =
                    "How long in milliseconds commands may continue after their sandbox is"
                            + " replaced or removed, before they are ended.")
    int graceMillis() default 5_000;

    /** Wall-clock time. */
    @AttributeDefinition(
            min = "100",
            max = "600000",
            description =
                    "Most wall-clock time of a command, in milliseconds, whatever timeout_ms it"
                            + " gives.")
    long wallMillis() default 600_000;

    /** Wall-clock time of a command that gives none. */
    @AttributeDefinition(
            min = "100",
            max = "600000",
            description =
                    "Wall-clock time of a command that gives no timeout_ms, in milliseconds; at"
                            + " most wallMillis.")
    long defaultWallMillis() default 120_000;

    /** Processor time. */
    @AttributeDefinition(
            min = "100",
            max = "3600000",
            description =
                    "Most processor time of a command, in milliseconds; the default is that of four"
                            + " busy processors for as long as wallMillis.")
    long cpuMillis() default 2_400_000;

    /** Memory. */
    @AttributeDefinition(
            min = "0",
            max = "1099511627776",
            description =
                    "Most memory of a command, in bytes: of all its processes together. Where no"
                            + " cgroup counts it, what they hold is measured twenty times a second. 0"
                            + " means a quarter of the machine's memory, and at least 512 MiB.")
    long memoryBytes() default 0;

    /** Processes. */
    @AttributeDefinition(
            min = "1",
            max = "32768",
            description = "Most processes and threads of a command at one time.")
    int processes() default 1_024;

    /** File size. */
    @AttributeDefinition(
            min = "1024",
            max = "1099511627776",
            description = "Largest file that a command may write, in bytes.")
    long fileBytes() default 2_147_483_648L;

    /** Descriptors. */
    @AttributeDefinition(
            min = "16",
            max = "65536",
            description = "Most files that one process of a command may have open.")
    int openFiles() default 4_096;

    /** Output. */
    @AttributeDefinition(
            min = "1024",
            max = "16777216",
            description =
                    "How many bytes of standard output and standard error together a result"
                            + " holds: the beginning and the end. All of it is in files, see"
                            + " outputFileBytes.")
    long outputBytes() default 30_000;

    /** Files with output. */
    @AttributeDefinition(
            min = "0",
            max = "1099511627776",
            description =
                    "Most bytes of output of one command that are kept in files. What goes beyond"
                            + " is counted, and the command goes on. All files of an agent"
                            + " together have at most workspaceBytes.")
    long outputFileBytes() default 268_435_456;

    /** Number of files with output. */
    @AttributeDefinition(
            min = "2",
            max = "100000",
            description =
                    "Most files with output of an agent; the oldest are removed for new ones.")
    int outputFiles() default 200;

    /** Age of files with output. */
    @AttributeDefinition(
            min = "1",
            max = "87600",
            description = "How long in hours a file with output is kept.")
    int outputHours() default 168;

    /** Scratch space. */
    @AttributeDefinition(
            min = "0",
            max = "68719476736",
            description =
                    "Size of each temporary file system of a command, and in Tier B of its"
                            + " folder for temporary files, in bytes. 0 means an eighth of the"
                            + " machine's memory, at least 64 MiB and at most 2 GiB.")
    long scratchBytes() default 0;

    /** Workspace bytes. */
    @AttributeDefinition(
            min = "1048576",
            max = "1099511627776",
            description =
                    "Most bytes that the files of a workspace may have together. A command that"
                            + " exceeds it is stopped; until enough is removed, commands may"
                            + " write files of at most 1024 bytes.")
    long workspaceBytes() default 10_737_418_240L;

    /** Workspace files. */
    @AttributeDefinition(
            min = "100",
            max = "100000000",
            description =
                    "Most files, folders and links of a workspace; enforced like"
                            + " workspaceBytes.")
    long workspaceFiles() default 1_000_000;

    /** Hosts that every command may reach. */
    @AttributeDefinition(
            required = false,
            description =
                    "Hosts that commands in tier C with strict egress may reach without naming"
                            + " them, each HOST, HOST:PORT or *.HOST; 443 without a port. A call"
                            + " that names hosts reaches those alone. Policy is asked on each"
                            + " connection.")
    String[] allowedHosts() default {};

    /** Egress bytes. */
    @AttributeDefinition(
            min = "1024",
            max = "1099511627776",
            description =
                    "Most bytes that a command may send and receive through its egress proxy, both"
                            + " directions together.")
    long egressBytes() default 1_073_741_824;

    /** Background processes of a run. */
    @AttributeDefinition(
            min = "0",
            max = "100",
            description = "Most background processes that one run may have at one time.")
    int maxBackground() default 4;

    /** Silence about a background process. */
    @AttributeDefinition(
            min = "1000",
            max = "86400000",
            description =
                    "How long in milliseconds a background process may continue without being"
                            + " asked for.")
    long backgroundMaxMillis() default 600_000;

    /** Life of a background process. */
    @AttributeDefinition(
            min = "1000",
            max = "86400000",
            description = "Most wall-clock time of a background process, in milliseconds.")
    long backgroundWallMillis() default 3_600_000;

    /** Most sandboxes of sessions. */
    @AttributeDefinition(
            min = "1",
            max = "1000",
            description =
                    "Most sessions that may have a sandbox at one time, in which their commands"
                            + " share a network, processes, home and temporary files. The one that"
                            + " was not used for the longest time is ended for a further one.")
    int maxSessions() default 16;

    /** Idle time of a session's sandbox. */
    @AttributeDefinition(
            min = "1000",
            max = "86400000",
            description =
                    "How long in milliseconds the sandbox of a session is kept without a command,"
                            + " with the processes that were left running in it.")
    long sessionIdleMillis() default 1_800_000;

    /** Life of a session's sandbox. */
    @AttributeDefinition(
            min = "1000",
            max = "604800000",
            description = "Most wall-clock time of the sandbox of a session, in milliseconds.")
    long sessionWallMillis() default 28_800_000;

    /** Size of a session's folders. */
    @AttributeDefinition(
            min = "1048576",
            max = "1099511627776",
            description =
                    "Most bytes that the home folder and the temporary files of a session's sandbox"
                            + " may have together; with more, the sandbox is ended.")
    long sessionBytes() default 4_294_967_296L;

    /** Further known commands. */
    @AttributeDefinition(
            required = false,
            description =
                    "Absolute path of a file with further programs that a person may allow for"
                            + " longer"
                            + " than once, each row with its reason and examples, as in"
                            + " command-rows.txt of the bundle. Read together with the"
                            + " configuration.")
    String commandRowsFile() default "";

    /** Files of a workspace that an answer is bound to. */
    @AttributeDefinition(
            min = "1",
            max = "10000000",
            description =
                    "Most files and folders of a workspace in which commands can be approved;"
                            + " the approval of one call is bound to their state. In a larger"
                            + " workspace commands that need an approval are denied.")
    int approvalMaxFiles() default 100_000;

    /** Time between tests of sandboxes. */
    @AttributeDefinition(
            min = "1",
            max = "10080",
            description =
                    "How often in minutes each sandbox is self-tested. A sandbox without a"
                            + " passed test for twice as long refuses to run commands.")
    int canaryMinutes() default 360;
}
