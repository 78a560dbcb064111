package palyra.shell.internal.console;

import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.command.CommandContext;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.AccountView;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.ConsoleSession;
import palyra.api.core.access.Invitation;
import palyra.shell.internal.host.Seams;

/** Permission first, then the accounts, each in a lease of its own. */
final class AccountCalls {
    private AccountCalls() {}

    static Invitation invite(Seams seams, Principal caller, String name, Set<String> groups) {
        Authorized permit = permit(seams, caller, "access.account.invite", account(name), "");
        return seams.accounts().call(accounts -> accounts.invite(permit, name, groups));
    }

    static List<AccountView> list(Seams seams, Principal caller) {
        Permit permit = read(seams, caller, "access.account.list");
        return seams.accounts().call(accounts -> accounts.accounts(permit));
    }

    static AccountView setDisabled(Seams seams, Principal caller, String name, boolean disabled) {
        Authorized permit = permit(seams, caller, "access.account.update", account(name), "");
        return seams.accounts().call(accounts -> accounts.setDisabled(permit, disabled));
    }

    static void remove(Seams seams, Principal caller, String name) {
        Authorized permit = permit(seams, caller, "access.account.remove", account(name), "");
        seams.accounts().run(accounts -> accounts.remove(permit));
    }

    static List<ConsoleSession> sessions(Seams seams, Principal caller) {
        Permit permit = read(seams, caller, "access.session.list");
        return seams.accounts().call(accounts -> accounts.sessions(permit));
    }

    static void end(Seams seams, Principal caller, ConsoleSession session) {
        String owner = session.principal().id();
        String resource = "token:" + session.sessionId();
        Authorized permit = permit(seams, caller, "access.session.end", resource, owner);
        seams.accounts().run(accounts -> accounts.endSession(permit, owner));
    }

    /** Returns the entered name of an account in the form in which it is kept. */
    static String name(CommandContext context) {
        return context.arguments().positionals().get(0).strip();
    }

    private static String account(String name) {
        return "principal:user:" + name;
    }

    private static Authorized permit(
            Seams seams, Principal caller, String action, String resource, String owner) {
        AccessRequest request = new AccessRequest(caller, action, resource, owner, Map.of());
        return seams.access().call(access -> access.authorize(request));
    }

    private static Permit read(Seams seams, Principal caller, String action) {
        AccessRequest request = AccessRequest.of(caller, action, "");
        return seams.access().call(access -> access.authorizeRead(request));
    }
}
