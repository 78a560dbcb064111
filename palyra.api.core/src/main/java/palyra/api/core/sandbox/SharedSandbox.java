package palyra.api.core.sandbox;

import java.util.Optional;
import palyra.api.Require;

/**
 * A sandbox that several commands of one session use, one after another and at the same time: they
 * have one network with a loopback of its own, see each other's processes, and keep their home
 * folder and temporary files. Each command still has its own limits, its own filter of system
 * calls, its own view of the file system and no privileges.
 *
 * @param id names it in attestations; letters, digits, {@code -}, {@code _} and {@code .} only
 * @param home absolute real path of the folder that commands find as their home
 * @param temporary absolute real path of the folder that they find as {@code /tmp}
 * @param holder the process that holds it, as {@link SandboxBackend#hold} returned it; absent when
 *     it is to be made
 */
public record SharedSandbox(
        String id, String home, String temporary, Optional<SandboxProcess> holder) {
    /** Checks. */
    public SharedSandbox {
        Require.that(
                id != null && id.matches("[A-Za-z0-9._-]{1,64}"),
                "the id '" + id + "' is not usable for a shared sandbox");
        Require.text(home, "home folder");
        Require.text(temporary, "folder of temporary files");
        Require.present(holder, "holder");
    }

    /** Returns the same sandbox once a process holds it. */
    public SharedSandbox heldBy(SandboxProcess process) {
        return new SharedSandbox(id, home, temporary, Optional.of(process));
    }
}
