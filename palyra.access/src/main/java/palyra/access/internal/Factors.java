package palyra.access.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.access.AccountView;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.NewFactor;
import palyra.api.core.access.SignInClient;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;

/** What persons do with their own factors: each change with its permit in one unit. */
final class Factors {
    private static final String ACTION = "access.factor.change";

    private final AccountStore store;
    private final PasswordCheck passwords;
    private final PasskeyCheck passkeys;
    private final Recorder recorder;
    private final LongSupplier clock;

    Factors(
            AccountStore store,
            PasswordCheck passwords,
            PasskeyCheck passkeys,
            Recorder recorder,
            LongSupplier clock) {
        this.store = store;
        this.passwords = passwords;
        this.passkeys = passkeys;
        this.recorder = recorder;
        this.clock = clock;
    }

    /** An account with another factor, and what else stores it. */
    record Changed(Account account, List<Precondition> conditions, List<Operation> operations) {}

    /**
     * Returns the account with a new factor, not stored yet.
     *
     * @param bound what a passkey's challenge was made for
     */
    Changed with(Account account, NewFactor factor, String bound, SignInClient client) {
        return switch (factor) {
            case NewFactor.Password password ->
                    new Changed(
                            account.withPassword(passwords.hash(password.password())),
                            List.of(),
                            List.of());
            case NewFactor.Passkey passkey -> {
                Require.that(
                        account.passkeys().size() < Account.MOST_PASSKEYS,
                        "the account has "
                                + Account.MOST_PASSKEYS
                                + " passkeys; remove one that is not used any more");
                Account.Passkey made = passkeys.registered(bound, passkey, client);
                yield new Changed(
                        account.with(made),
                        List.of(store.passkeyIsFree(made.id())),
                        List.of(store.putPasskey(made.id(), account.name())));
            }
        };
    }

    AccountView change(Authorized permit, String session, NewFactor factor, SignInClient client) {
        AccountStore.Found found = require(permit);
        return commit(found, with(found.account(), factor, session, client), permit);
    }

    AccountView rename(Authorized permit, String passkeyId, String label) {
        AccountStore.Found found = require(permit);
        Account.Passkey passkey = passkey(found, passkeyId);
        Account renamed = found.account().with(passkey.labelled(PasskeyCheck.label(label)));
        return commit(found, new Changed(renamed, List.of(), List.of()), permit);
    }

    AccountView remove(Authorized permit, String passkeyId) {
        AccountStore.Found found = require(permit);
        Account.Passkey passkey = passkey(found, passkeyId);
        List<Account.Passkey> rest = new ArrayList<>(found.account().passkeys());
        rest.remove(passkey);
        Account without = found.account().withPasskeys(rest);
        if (!without.hasFactor()) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "This passkey is the only way into the account; add another, or set a password,"
                            + " then remove it.");
        }
        return commit(
                found,
                new Changed(without, List.of(), List.of(store.deletePasskey(passkeyId))),
                permit);
    }

    private AccountStore.Found require(Authorized permit) {
        permit.permit().requireFor(ACTION, clock.getAsLong());
        String name = AccountAdministration.name(permit.permit());
        return store.find(name)
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND, "There is no account " + name + "."));
    }

    private static Account.Passkey passkey(AccountStore.Found found, String id) {
        return found.account()
                .passkey(id)
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "The account has no such passkey any more; load the page"
                                                + " again."));
    }

    private AccountView commit(AccountStore.Found found, Changed changed, Authorized permit) {
        Unit.Builder unit = Unit.builder().require(store.at(found));
        changed.conditions().forEach(unit::require);
        recorder.commit(
                unit.add(store.put(changed.account()))
                        .addAll(changed.operations())
                        .add(permit.record())
                        .build());
        return changed.account().view(clock.getAsLong());
    }
}
