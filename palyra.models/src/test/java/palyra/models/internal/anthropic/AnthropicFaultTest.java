package palyra.models.internal.anthropic;

import palyra.testing.model.RemoteDialect;
import palyra.testing.model.RemoteFaultContract;

class AnthropicFaultTest extends RemoteFaultContract {
    @Override
    protected RemoteDialect dialect() {
        return new AnthropicStage();
    }
}
