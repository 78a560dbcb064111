package palyra.shell.internal.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import palyra.api.access.Permit;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.AccountView;
import palyra.api.core.access.Accounts;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.ConsoleSession;
import palyra.api.core.access.Invitation;
import palyra.api.core.ops.Ops;
import palyra.shell.internal.fakes.HostFixture;
import palyra.shell.internal.fakes.Partial;
import palyra.testing.access.FakeAccess;

@SuppressWarnings({"unused", "EffectivelyPrivate"}) // methods of partial services
class ConsoleCommandsTest {
    private final HostFixture fixture = new HostFixture();
    private final List<String> changes = new ArrayList<>();

    /** What the commands use of accounts; each change keeps the resource of its permit. */
    public final class Kept {
        public Invitation invite(Authorized permit, String name, Set<String> groups) {
            changes.add("invite " + permit.permit().resource() + " " + groups);
            return new Invitation(account(name, false), name + ".secret", 1_800_000_000_000L);
        }

        public List<AccountView> accounts(Permit permit) {
            return List.of(account("alice", false), account("bob", true));
        }

        public AccountView setDisabled(Authorized permit, boolean disabled) {
            changes.add("disabled=" + disabled + " " + permit.permit().resource());
            return account("alice", disabled);
        }

        public void remove(Authorized permit) {
            changes.add("remove " + permit.permit().resource());
        }

        public List<ConsoleSession> sessions(Permit permit) {
            return List.of(
                    session("01J00000000000000000000001", "alice"),
                    session("01J00000000000000000000002", "alice"),
                    session("01J00000000000000000000003", "bob"));
        }

        public void endSession(Authorized permit, String owner) {
            changes.add("end " + permit.permit().resource() + " of " + owner);
        }
    }

    private static AccountView account(String name, boolean disabled) {
        return new AccountView(
                name, "user:" + name, Set.of("viewer"), disabled, true, List.of(), 0, 1);
    }

    private static ConsoleSession session(String id, String account) {
        return new ConsoleSession(
                id,
                account,
                FakeAccess.user("user:" + account, "viewer"),
                "passkey",
                "192.0.2.1",
                "Firefox on Linux",
                1,
                1,
                1,
                1);
    }

    @BeforeEach
    void add() {
        fixture.seams.accounts().add(Partial.of(Accounts.class, new Kept()), Map.of());
        BundleContext context =
                Partial.of(
                        BundleContext.class,
                        new Object() {
                            public ServiceReference<?>[] getAllServiceReferences(
                                    String type, String filter) {
                                assertTrue(filter.contains(Ops.ENDPOINT_NAME + "=http"), filter);
                                return new ServiceReference<?>[] {endpoint()};
                            }
                        });
        List.of(
                        new ConsoleInviteCommand(context, fixture.seams),
                        new ConsoleAccountsCommand(fixture.seams),
                        new ConsoleDisableCommand(fixture.seams),
                        new ConsoleEnableCommand(fixture.seams),
                        new ConsoleRemoveCommand(fixture.seams),
                        new ConsoleSessionsCommand(fixture.seams),
                        new ConsoleRevokeCommand(fixture.seams))
                .forEach(fixture::add);
    }

    private static ServiceReference<?> endpoint() {
        return Partial.of(
                ServiceReference.class,
                new Object() {
                    public Object getProperty(String name) {
                        return "http://127.0.0.1:8123";
                    }
                });
    }

    private String said(String line) throws Exception {
        HostFixture.Run run = fixture.run(line.split(" "));
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        return run.outText();
    }

    @Test
    void anInvitationIsALinkUnderANameThatPasskeysTake() throws Exception {
        String said = said("console invite alice --group viewer --group approver");
        assertTrue(said.contains("http://localhost:8123/console/invitation/alice.secret"), said);
        assertEquals(1, changes.size());
        assertTrue(changes.get(0).startsWith("invite principal:user:alice ["), changes.get(0));
        assertTrue(changes.get(0).contains("approver"), changes.get(0));
    }

    @Test
    void accountsAreListedDisabledEnabledAndRemoved() throws Exception {
        String listed = said("console accounts");
        assertTrue(listed.contains("alice") && listed.contains("disabled"), listed);
        said("console disable alice");
        said("console enable alice");
        said("console remove alice");
        assertEquals(
                List.of(
                        "disabled=true principal:user:alice",
                        "disabled=false principal:user:alice",
                        "remove principal:user:alice"),
                changes);
    }

    @Test
    void oneSessionOrThoseOfAnAccountAreEnded() throws Exception {
        assertTrue(said("console sessions").contains("192.0.2.1"));
        said("console revoke 01j00000000000000000000003");
        assertEquals(List.of("end token:01J00000000000000000000003 of user:bob"), changes);
        said("console revoke alice");
        assertEquals(3, changes.size());
        HostFixture.Run none = fixture.run("console", "revoke", "carol");
        assertEquals(ExitCodes.NOT_FOUND, none.code());
        assertEquals(3, changes.size());
    }
}
