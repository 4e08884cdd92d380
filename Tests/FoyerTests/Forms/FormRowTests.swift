import FoyerFlow
import FoyerModel
import Testing

@testable import Foyer
@testable import FoyerApp

@Suite @FlowActor struct FormRowTests {
    @Test("A17: a row projects a field to what is seen of it")
    func setView() {
        let row = FormRow()
        row.text = "ada@example.org"
        let view = row.setView(for: AccountField.email)
        #expect(view.key == "email_field" && view.label == "Email Address" && view.value == "ada@example.org")
        #expect(view.color == .lightGray && view.keyboard == .emailAddress && !view.isSecret)
        row.isSecret = true
        #expect(row.setView(for: AccountField.password).value == nil)
        #expect(FormRow.reuseID == "FormRow")
    }

    @Test("B17: the pool gives a row of the type that was asked for, used again but empty")
    func pool() {
        final class OtherRow: ReusableRow {
            func prepareForReuse() {}
        }
        let pool = RowPool()
        let row = pool.dequeue(FormRow.self)
        row.text = "ada"
        pool.recycle(row)
        let other: OtherRow = pool.dequeue(OtherRow.self)
        let again: FormRow = pool.dequeue(FormRow.self)
        #expect(again === row && again.text == nil)
        #expect(pool.dequeue(FormRow.self) !== row && pool.dequeue(OtherRow.self) !== other)
    }
}
