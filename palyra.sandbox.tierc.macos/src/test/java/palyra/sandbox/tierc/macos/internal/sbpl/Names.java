package palyra.sandbox.tierc.macos.internal.sbpl;

import java.util.Set;

/** Names that sandbox-exec knows, so that a slip of the pen is found without a Mac. */
final class Names {
    static final Set<String> OPERATIONS =
            Set.of(
                    "default",
                    "file*",
                    "file-ioctl",
                    "file-link",
                    "file-map-executable",
                    "file-mknod",
                    "file-read*",
                    "file-read-data",
                    "file-read-metadata",
                    "file-read-xattr",
                    "file-test-existence",
                    "file-write*",
                    "file-write-create",
                    "file-write-data",
                    "file-write-flags",
                    "file-write-mode",
                    "file-write-owner",
                    "file-write-setugid",
                    "file-write-unlink",
                    "file-write-xattr",
                    "iokit-open",
                    "ipc-posix-sem",
                    "ipc-posix-shm",
                    "job-creation",
                    "mach-lookup",
                    "mach-priv-task-port",
                    "mach-register",
                    "network*",
                    "network-bind",
                    "network-inbound",
                    "network-outbound",
                    "process*",
                    "process-exec*",
                    "process-exec-interpreter",
                    "process-fork",
                    "process-info*",
                    "process-info-pidinfo",
                    "pseudo-tty",
                    "signal",
                    "sysctl-read",
                    "sysctl-write",
                    "system-privilege",
                    "system-socket");
    static final Set<String> FILTERS =
            Set.of(
                    "literal",
                    "subpath",
                    "regex",
                    "require-all",
                    "require-any",
                    "require-not",
                    "path-ancestors",
                    "vnode-type",
                    "target",
                    "global-name",
                    "global-name-prefix",
                    "sysctl-name",
                    "sysctl-name-prefix",
                    "remote",
                    "local");
    static final Set<String> VNODES =
            Set.of(
                    "REGULAR-FILE",
                    "DIRECTORY",
                    "SYMLINK",
                    "CHARACTER-DEVICE",
                    "BLOCK-DEVICE",
                    "FIFO",
                    "SOCKET",
                    "TTY");
    static final Set<String> TARGETS = Set.of("self", "same-sandbox", "others", "children", "pgrp");

    private Names() {}
}
