import FoyerModel
import FoyerSQLite

/// Counts time that has passed while nobody looked, once it is confirmed.
enum Ageing {
    /// Makes everything older that was there at the queue's time `moment` and was not touched since. What came later has
    /// not seen that time.
    static func age(what moment: Timestamp, by time: Duration, at now: Timestamp, in db: Connection) throws {
        let moment = moment.milliseconds, time = time.milliseconds
        try db.run(
            """
            UPDATE secrets SET expires_at = expires_at - ?2
            WHERE flow_id IN (SELECT id FROM flows WHERE counted_from < ?1)
            """, moment, time)
        try db.run(
            """
            UPDATE submissions SET expires_at = expires_at - ?2, forget_after = forget_after - ?2
            WHERE flow_id IN (SELECT id FROM flows WHERE counted_from < ?1)
            """, moment, time)
        try db.run("UPDATE flow_steps SET counted_from = counted_from - ?2 WHERE counted_from < ?1", moment, time)
        try db.run(
            """
            UPDATE flows SET expires_at = expires_at - ?2, counted_from = counted_from - ?2 WHERE counted_from < ?1
            """, moment, time)
        try db.run("UPDATE events SET counted_from = counted_from - ?2 WHERE counted_from < ?1", moment, time)
        try Verifiers.age(what: moment, by: time, in: db)
        try Events.add(.timeOffCounted(days: time / 86_400_000), at: now, in: db)
    }
}
