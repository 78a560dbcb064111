package palyra.access.internal;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.core.access.AccountView;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.Invitation;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.shared.hash.Ulids;

/** What operators do with accounts: each change with its permit in one unit. */
final class AccountAdministration {
    static final String ACCOUNT = "principal:user:";
    static final String SESSION = "token:";

    private static final int MOST = 1_000;
    private static final int TRIES = 5;

    private final AccountStore store;
    private final ConsoleSessions sessions;
    private final Invitations invitations;
    private final Recorder recorder;
    private final LongSupplier clock;
    private final Ulids ids = new Ulids();
    private volatile boolean used; // once an account has a factor, until one is removed

    AccountAdministration(
            AccountStore store,
            ConsoleSessions sessions,
            Invitations invitations,
            Recorder recorder,
            LongSupplier clock) {
        this.store = store;
        this.sessions = sessions;
        this.invitations = invitations;
        this.recorder = recorder;
        this.clock = clock;
    }

    /** Returns the account that a permit is about. */
    static String name(Permit permit) {
        return part(permit, ACCOUNT, "an account");
    }

    /** Returns the session that a permit is about. */
    static String sessionId(Permit permit) {
        return Ulids.require(part(permit, SESSION, "a session"), "session id");
    }

    private static String part(Permit permit, String prefix, String what) {
        if (!permit.resource().startsWith(prefix)) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The permit is about '"
                            + permit.resource()
                            + "', not about "
                            + what
                            + "; ask again for "
                            + prefix
                            + "….");
        }
        return permit.resource().substring(prefix.length());
    }

    boolean empty() {
        if (!used) {
            used = store.all().stream().anyMatch(Account::hasFactor);
        }
        return !used;
    }

    Invitation invite(Authorized permit, String name, Set<String> groups) {
        permit.permit().requireFor("access.account.invite", clock.getAsLong());
        Account.requireName(name);
        Require.that(
                name(permit.permit()).equals(name),
                "the permit is about another account than " + name);
        requireGroups(groups);
        for (int i = 1; ; i++) {
            long now = clock.getAsLong();
            AccountStore.Found before = store.find(name).orElseGet(() -> fresh(name, groups));
            Account asked =
                    groups.isEmpty() ? before.account() : before.account().withGroups(groups);
            requireWithin(permit.permit().principal(), before.account().groups());
            requireWithin(permit.permit().principal(), asked.groups());
            String secret = invitations.make(name);
            Account invited =
                    asked.withInvitation(
                            invitations.digest(asked, secret), now + Invitations.VALID_MILLIS);
            if (commit(before, invited, List.of(), permit, i)) {
                return new Invitation(invited.view(now), secret, invited.invitedUntilMillis());
            }
        }
    }

    private AccountStore.Found fresh(String name, Set<String> groups) {
        Require.that(
                !groups.isEmpty(),
                "the account '"
                        + name
                        + "' would be in no group: give one or more of operator, approver,"
                        + " integrator, viewer");
        PrincipalNames.require("user:" + name);
        Require.that(store.all().size() < MOST, "there are " + MOST + " accounts, and no more fit");
        return new AccountStore.Found(
                new Account(
                        name, ids.next(), groups, false, "", List.of(), "", 0, clock.getAsLong()),
                0);
    }

    private static void requireGroups(Set<String> groups) {
        Require.that(
                BuiltInRules.GROUPS.containsAll(groups),
                "groups "
                        + new TreeSet<>(groups)
                        + " are not usable: give one or more of operator, approver, integrator,"
                        + " viewer");
    }

    /** An account is a credential: its maker gives no more than the maker has. */
    private static void requireWithin(Principal maker, Set<String> groups) {
        boolean within =
                maker.scopes().isEmpty()
                        && (maker.in(BuiltInRules.OPERATOR) || maker.groups().containsAll(groups));
        if (!within) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The account was not changed: its groups "
                            + new TreeSet<>(groups)
                            + " go beyond what "
                            + maker.id()
                            + " may give, or the credential is limited to scopes. Let an operator"
                            + " do it.");
        }
    }

    List<AccountView> list(Permit permit) {
        long now = clock.getAsLong();
        permit.requireFor("access.account.list", now);
        return store.all().stream().map(account -> account.view(now)).toList();
    }

    AccountView read(Permit permit) {
        long now = clock.getAsLong();
        permit.requireFor("access.account.read", now);
        return require(name(permit)).account().view(now);
    }

    AccountView setDisabled(Authorized permit, boolean disabled) {
        return update(permit, account -> account.withDisabled(disabled), disabled);
    }

    AccountView setGroups(Authorized permit, Set<String> groups) {
        requireGroups(groups);
        Require.that(!groups.isEmpty(), "an account is in a group at least");
        return update(permit, account -> account.withGroups(groups), false);
    }

    /** What is disabled because of a stolen session does not come back with it. */
    private AccountView update(
            Authorized permit, UnaryOperator<Account> change, boolean endsSessions) {
        permit.permit().requireFor("access.account.update", clock.getAsLong());
        for (int i = 1; ; i++) {
            AccountStore.Found before = require(name(permit.permit()));
            Account after = change.apply(before.account());
            requireWithin(permit.permit().principal(), before.account().groups());
            requireWithin(permit.permit().principal(), after.groups());
            List<Operation> ends = endsSessions ? sessions.deleteOf(before.account()) : List.of();
            if (commit(before, after, ends, permit, i)) {
                return after.view(clock.getAsLong());
            }
        }
    }

    void remove(Authorized permit) {
        permit.permit().requireFor("access.account.remove", clock.getAsLong());
        for (int i = 1; ; i++) {
            AccountStore.Found before = require(name(permit.permit()));
            requireWithin(permit.permit().principal(), before.account().groups());
            Unit.Builder unit =
                    Unit.builder()
                            .require(store.at(before))
                            .add(store.delete(before.account().name()))
                            .addAll(sessions.deleteOf(before.account()))
                            .add(permit.record());
            before.account().passkeys().forEach(key -> unit.add(store.deletePasskey(key.id())));
            if (committed(unit.build(), i)) {
                used = false;
                return;
            }
        }
    }

    private AccountStore.Found require(String name) {
        Optional<AccountStore.Found> found = store.find(name);
        return found.orElseThrow(
                () ->
                        new PalyraException(
                                ErrorCode.NOT_FOUND,
                                "There is no account '"
                                        + name
                                        + "'; palyra console accounts lists them."));
    }

    private boolean commit(
            AccountStore.Found before,
            Account after,
            List<Operation> more,
            Authorized permit,
            int attempt) {
        return committed(
                Unit.builder()
                        .require(store.at(before))
                        .add(store.put(after))
                        .addAll(more)
                        .add(permit.record())
                        .build(),
                attempt);
    }

    /** Returns whether a unit happened; no means that another change was faster. */
    private boolean committed(Unit unit, int attempt) {
        try {
            recorder.commit(unit);
            return true;
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT || attempt == TRIES) {
                throw e;
            }
            return false;
        }
    }
}
