package palyra.itests.process;

import org.junit.ClassRule;
import org.junit.Test;

/** The same over TLS, where the operator comes with a client certificate instead of a token. */
public class NodeClientTlsIT extends NodeStories {
    @ClassRule public static final NodeRun RUN = new NodeRun(true);

    @Override
    protected NodeRun played() {
        return RUN;
    }

    @Test
    public void certificatesAreCredentialsForThoseWhoAreNamed() {
        holds("tls", 9);
    }
}
