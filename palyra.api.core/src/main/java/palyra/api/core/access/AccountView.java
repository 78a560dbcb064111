package palyra.api.core.access;

import java.util.List;
import java.util.Set;
import palyra.api.Require;

/**
 * An account of a person at the console, without what proves who the person is.
 *
 * @param name what the person enters to sign in, such as {@code alice}
 * @param principal whom its sessions speak for, {@code user:NAME}
 * @param groups groups that its sessions have
 * @param disabled whether it is refused
 * @param hasPassword whether a password is set
 * @param passkeys its passkeys, oldest first
 * @param invitedUntilMillis until when an invitation is open, unix milliseconds; 0 for none
 * @param createdAtMillis unix time in milliseconds
 */
public record AccountView(
        String name,
        String principal,
        Set<String> groups,
        boolean disabled,
        boolean hasPassword,
        List<Passkey> passkeys,
        long invitedUntilMillis,
        long createdAtMillis) {
    /**
     * A passkey of an account.
     *
     * @param id credential id, base64url
     * @param label what the person calls it
     * @param createdAtMillis unix time in milliseconds
     * @param usedAtMillis unix time in milliseconds; 0 while it was never used
     */
    public record Passkey(String id, String label, long createdAtMillis, long usedAtMillis) {
        /** Checks. */
        public Passkey {
            Require.text(id, "passkey id");
            label = Require.orEmpty(label);
        }
    }

    /** Checks and copies. */
    public AccountView {
        Require.text(name, "account name");
        Require.text(principal, "principal");
        groups = Set.copyOf(groups);
        passkeys = List.copyOf(passkeys);
    }

    /** Returns whether the person can prove to be who it is for. */
    public boolean hasFactor() {
        return hasPassword || !passkeys.isEmpty();
    }
}
