package palyra.itests.process;

import org.junit.ClassRule;

/** A client in another language drives every rpc, knowing the .proto files alone. */
public class NodeClientIT extends NodeStories {
    @ClassRule public static final NodeRun RUN = new NodeRun(false);

    @Override
    protected NodeRun played() {
        return RUN;
    }
}
