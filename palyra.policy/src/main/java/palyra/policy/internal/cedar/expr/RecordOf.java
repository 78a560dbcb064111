package palyra.policy.internal.cedar.expr;

import java.util.HashMap;
import java.util.Map;
import palyra.policy.internal.cedar.value.RecordValue;
import palyra.policy.internal.cedar.value.Value;

/** A record of expressions. Evaluated in the order of the names. */
public final class RecordOf extends Expr {
    private final String[] names;
    private final Expr[] fields;

    public RecordOf(Map<String, Expr> fields) {
        this.names = fields.keySet().toArray(new String[0]);
        this.fields = fields.values().toArray(new Expr[0]);
    }

    @Override
    public Value eval(Env env) {
        Map<String, Value> values = HashMap.newHashMap(names.length);
        for (int i = 0; i < names.length; i++) {
            values.put(names[i], fields[i].eval(env));
        }
        return RecordValue.of(values);
    }
}
