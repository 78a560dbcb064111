/** Cedar's JSON forms of values, entities, contexts and schemas. */
package palyra.policy.internal.cedar.json;
