/** The entities policies speak of, their hierarchy, their schema and their JSON form. */
package palyra.policy.internal.cedar.entity;
