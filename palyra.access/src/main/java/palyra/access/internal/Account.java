package palyra.access.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccountView;

/**
 * An account as the journal keeps it.
 *
 * @param id ULID; another account of the same name has another
 * @param password PHC string; empty for none
 * @param invitation digest of the open invitation, hex; empty for none
 * @param invitedUntilMillis end of the invitation; 0 for none
 */
record Account(
        String name,
        String id,
        Set<String> groups,
        boolean disabled,
        String password,
        List<Passkey> passkeys,
        String invitation,
        long invitedUntilMillis,
        long createdAtMillis) {
    static final String COLLECTION = "access_account";
    static final int MOST_PASSKEYS = 20;

    private static final String NAME = "[a-z][a-z0-9._-]{0,63}";

    /**
     * A passkey.
     *
     * @param id credential id, base64url
     * @param key COSE bytes, base64url
     */
    record Passkey(
            String id,
            String key,
            long counter,
            String label,
            long createdAtMillis,
            long usedAtMillis) {
        Passkey used(long counted, long atMillis) {
            return new Passkey(id, key, counted, label, createdAtMillis, atMillis);
        }

        Passkey labelled(String other) {
            return new Passkey(id, key, counter, other, createdAtMillis, usedAtMillis);
        }
    }

    /** Copies. */
    Account {
        groups = Set.copyOf(groups);
        passkeys = List.copyOf(passkeys);
    }

    static String requireName(String name) {
        Require.that(
                name != null && name.matches(NAME),
                "the account name '"
                        + name
                        + "' is not usable: a to z first, then up to 63 of a to z, digits and . _"
                        + " -");
        return name;
    }

    static boolean isName(String name) {
        return name.matches(NAME);
    }

    String principalId() {
        return "user:" + name;
    }

    /** Returns whom the account is, before a session began. */
    Principal principal() {
        return new Principal(
                principalId(), PrincipalKind.USER, groups, Set.of(), "account:" + name);
    }

    boolean hasFactor() {
        return !password.isEmpty() || !passkeys.isEmpty();
    }

    Optional<Passkey> passkey(String credentialId) {
        return passkeys.stream().filter(known -> known.id().equals(credentialId)).findFirst();
    }

    Account withGroups(Set<String> other) {
        return new Account(
                name,
                id,
                other,
                disabled,
                password,
                passkeys,
                invitation,
                invitedUntilMillis,
                createdAtMillis);
    }

    Account withDisabled(boolean other) {
        return new Account(
                name,
                id,
                groups,
                other,
                password,
                passkeys,
                invitation,
                invitedUntilMillis,
                createdAtMillis);
    }

    Account withPassword(String phc) {
        return new Account(
                name,
                id,
                groups,
                disabled,
                phc,
                passkeys,
                invitation,
                invitedUntilMillis,
                createdAtMillis);
    }

    Account withPasskeys(List<Passkey> others) {
        return new Account(
                name,
                id,
                groups,
                disabled,
                password,
                others,
                invitation,
                invitedUntilMillis,
                createdAtMillis);
    }

    /** Returns the account with that passkey in place of the one with its id, or after the last. */
    Account with(Passkey passkey) {
        List<Passkey> others = new ArrayList<>(passkeys);
        boolean replaced = false;
        for (int i = 0; i < others.size(); i++) {
            if (others.get(i).id().equals(passkey.id())) {
                others.set(i, passkey);
                replaced = true;
            }
        }
        if (!replaced) {
            others.add(passkey);
        }
        return withPasskeys(others);
    }

    Account withInvitation(String digest, long untilMillis) {
        return new Account(
                name,
                id,
                groups,
                disabled,
                password,
                passkeys,
                digest,
                untilMillis,
                createdAtMillis);
    }

    AccountView view(long nowMillis) {
        return new AccountView(
                name,
                principalId(),
                groups,
                disabled,
                !password.isEmpty(),
                passkeys.stream()
                        .map(
                                each ->
                                        new AccountView.Passkey(
                                                each.id(),
                                                each.label(),
                                                each.createdAtMillis(),
                                                each.usedAtMillis()))
                        .toList(),
                invitedUntilMillis > nowMillis ? invitedUntilMillis : 0,
                createdAtMillis);
    }

    ObjectNode json() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("id", id);
        ArrayNode names = root.putArray("groups");
        new TreeSet<>(groups).forEach(names::add);
        root.put("disabled", disabled);
        root.put("password", password);
        ArrayNode keys = root.putArray("passkeys");
        for (Passkey passkey : passkeys) {
            keys.addObject()
                    .put("id", passkey.id())
                    .put("key", passkey.key())
                    .put("counter", passkey.counter())
                    .put("label", passkey.label())
                    .put("createdAtMillis", passkey.createdAtMillis())
                    .put("usedAtMillis", passkey.usedAtMillis());
        }
        root.put("invitation", invitation);
        root.put("invitedUntilMillis", invitedUntilMillis);
        root.put("createdAtMillis", createdAtMillis);
        return root;
    }

    static Account of(String name, JsonNode root) {
        Set<String> groups = new TreeSet<>();
        root.path("groups").forEach(group -> groups.add(group.asText()));
        List<Passkey> passkeys = new ArrayList<>();
        for (JsonNode each : root.path("passkeys")) {
            passkeys.add(
                    new Passkey(
                            each.path("id").asText(),
                            each.path("key").asText(),
                            each.path("counter").asLong(),
                            each.path("label").asText(),
                            each.path("createdAtMillis").asLong(),
                            each.path("usedAtMillis").asLong()));
        }
        return new Account(
                name,
                root.path("id").asText(),
                groups,
                root.path("disabled").asBoolean(true),
                root.path("password").asText(),
                passkeys,
                root.path("invitation").asText(),
                root.path("invitedUntilMillis").asLong(),
                root.path("createdAtMillis").asLong());
    }

    @Override
    public String toString() {
        return "Account[" + name + "]";
    }
}
