package palyra.access.internal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;

/** Accounts in the journal, and whose each passkey is. Nothing is cached. */
final class AccountStore {
    private static final String PASSKEYS = "access_passkey";

    private final SealedDocuments accounts;
    private final SealedDocuments passkeys;

    /**
     * An account and the version of its document.
     *
     * @param version 0 for one that is not stored yet
     */
    record Found(Account account, long version) {}

    AccountStore(Gate<Journal> journal, Gate<Keys> keys) {
        accounts = new SealedDocuments(Account.COLLECTION, journal, keys);
        passkeys = new SealedDocuments(PASSKEYS, journal, keys);
    }

    Optional<Found> find(String name) {
        return Account.isName(name)
                ? accounts.find(name).map(AccountStore::found)
                : Optional.empty();
    }

    List<Account> all() {
        return accounts.all().stream().map(each -> found(each).account()).toList();
    }

    private static Found found(SealedDocuments.Found document) {
        return new Found(Account.of(document.key(), document.content()), document.version());
    }

    /** Returns the account that has a passkey. */
    Optional<Found> owner(String credentialId) {
        return passkeys.find(key(credentialId))
                .flatMap(document -> find(document.content().path("account").asText()))
                .filter(found -> found.account().passkey(credentialId).isPresent());
    }

    Operation put(Account account) {
        return accounts.put(account.name(), account.json());
    }

    Operation delete(String name) {
        return accounts.delete(name);
    }

    Precondition at(Found found) {
        return accounts.at(found.account().name(), found.version());
    }

    /** A passkey belongs to one account. */
    Precondition passkeyIsFree(String credentialId) {
        return passkeys.at(key(credentialId), 0);
    }

    Operation putPasskey(String credentialId, String account) {
        return passkeys.put(
                key(credentialId), JsonNodeFactory.instance.objectNode().put("account", account));
    }

    Operation deletePasskey(String credentialId) {
        return passkeys.delete(key(credentialId));
    }

    private static String key(String credentialId) {
        return Digests.sha256Hex(credentialId.getBytes(StandardCharsets.US_ASCII));
    }
}
