package palyra.shell.internal.fakes;

import java.util.Map;
import java.util.Set;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;
import palyra.shell.internal.host.Seams;
import palyra.testing.access.FakeAccess;
import palyra.testing.access.FakeAccess.Use;

/** Access control that allows operators everything and other callers help and their own. */
public final class ShellAccess {
    public static final Principal OPERATOR =
            new Principal(
                    "user:op", PrincipalKind.USER, Set.of("operator"), Set.of(), "local-peer:0");
    public static final Principal VIEWER =
            new Principal("user:eve", PrincipalKind.USER, Set.of("viewer"), Set.of(), "token:1");

    private ShellAccess() {}

    /**
     * Returns one whose caller is the operator; it allows the tools of an agent and speaks for no
     * caller.
     */
    public static FakeAccess create() {
        return new FakeAccess(
                        Use.AUTHENTICATE, Use.CHANGE, Use.RECORD, Use.READ, Use.TOOL, Use.TOKENS)
                .as(OPERATOR)
                .allowing(ShellAccess::allows);
    }

    private static boolean allows(AccessRequest request) {
        return request.principal().in("operator")
                || request.owner().equals(request.principal().id())
                || request.action().equals("command.help");
    }

    public static Seams seams(FakeAccess access) {
        Seams seams = new Seams(200);
        seams.access().add(access, Map.of());
        return seams;
    }
}
