package palyra.shared.seccomp;

import static palyra.shared.seccomp.Instruction.EQUAL;
import static palyra.shared.seccomp.Instruction.and;
import static palyra.shared.seccomp.Instruction.give;
import static palyra.shared.seccomp.Instruction.jump;
import static palyra.shared.seccomp.Instruction.load;

import java.util.ArrayList;
import java.util.List;

/**
 * The rules for socket(2) and socketpair(2).
 *
 * <p>Types and protocols of IPv4 and IPv6 are listed too: Landlock restricts plain TCP only, so
 * MPTCP (which a TCP server answers), SMC and SCTP would go around its ports. For the same reason a
 * filter refuses {@code MSG_FASTOPEN}, which connects without connect(2).
 */
final class Sockets {
    private static final int UNIX = 1;
    private static final int INET = 2;
    private static final int INET6 = 10;
    private static final int NETLINK = 16;
    private static final int NETLINK_ROUTE = 0;
    private static final int TYPE_MASK = 0xF;
    private static final int[] TYPES = {1, 2}; // stream, datagram
    private static final int[] PROTOCOLS = {0, 6, 17, 1, 58}; // any, TCP, UDP, ICMP, ICMPv6

    private Sockets() {}

    static List<Instruction> rule(Profile profile) {
        return switch (profile) {
            case DEFAULT -> families(true);
            case NOUNIX -> families(false);
            case OFFLINE -> List.of(give(Verdict.EAFNOSUPPORT));
        };
    }

    static List<Instruction> pairs() {
        return List.of(
                load(Rules.lowOf(0)),
                jump(EQUAL, UNIX, 0, 1),
                give(Verdict.ALLOW),
                give(Verdict.EAFNOSUPPORT));
    }

    private static List<Instruction> families(boolean unix) {
        List<Instruction> body = new ArrayList<>();
        body.add(load(Rules.lowOf(0)));
        if (unix) {
            allowIfEqual(body, UNIX);
        }
        body.add(jump(EQUAL, NETLINK, 0, 4));
        body.add(load(Rules.lowOf(2)));
        allowIfEqual(body, NETLINK_ROUTE);
        body.add(give(Verdict.EAFNOSUPPORT));
        body.add(jump(EQUAL, INET, 2, 0));
        body.add(jump(EQUAL, INET6, 1, 0));
        body.add(give(Verdict.EAFNOSUPPORT));
        body.add(load(Rules.lowOf(1)));
        body.add(and(TYPE_MASK));
        body.add(jump(EQUAL, TYPES[0], 2, 0));
        body.add(jump(EQUAL, TYPES[1], 1, 0));
        body.add(give(Verdict.ESOCKTNOSUPPORT));
        body.add(load(Rules.lowOf(2)));
        for (int protocol : PROTOCOLS) {
            allowIfEqual(body, protocol);
        }
        body.add(give(Verdict.EPROTONOSUPPORT));
        return body;
    }

    private static void allowIfEqual(List<Instruction> body, int value) {
        body.add(jump(EQUAL, value, 0, 1));
        body.add(give(Verdict.ALLOW));
    }
}
