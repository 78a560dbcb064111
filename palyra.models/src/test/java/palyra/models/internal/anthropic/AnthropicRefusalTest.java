package palyra.models.internal.anthropic;

import palyra.testing.model.RemoteDialect;
import palyra.testing.model.RemoteRefusalContract;

class AnthropicRefusalTest extends RemoteRefusalContract {
    @Override
    protected RemoteDialect dialect() {
        return new AnthropicStage();
    }
}
