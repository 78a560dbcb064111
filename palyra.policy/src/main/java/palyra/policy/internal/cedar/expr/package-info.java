/** Compiled expressions: a tree of small nodes that evaluate themselves. */
package palyra.policy.internal.cedar.expr;
