//! A small bank account. It does not compile: somewhere in here something is moved away while it
//! is borrowed (error E0505).

#[derive(Debug, Default)]
pub struct Account {
    owner: String,
    deposits: Vec<u64>,
    withdrawals: Vec<u64>,
}

impl Account {
    pub fn deposit(&mut self, amount: u64) {
        self.deposits.push(amount);
    }

    pub fn withdraw(&mut self, amount: u64) -> Result<(), String> {
        if self.balance() < amount {
            return Err(format!("{} has only {}", self.owner, self.balance()));
        }
        self.withdrawals.push(amount);
        Ok(())
    }

    pub fn balance(&self) -> u64 {
        self.deposits.iter().sum::<u64>() - self.withdrawals.iter().sum::<u64>()
    }

    pub fn largest(&self) -> Option<&u64> {
        self.deposits.iter().chain(&self.withdrawals).max()
    }
}

pub fn archive(account: Account) -> String {
    format!("{} had {} deposits", account.owner, account.deposits.len())
}

pub fn main() {
    let mut account = Account { owner: "Ada".to_string(), ..Account::default() };
    for amount in [20, 50, 70] {
        account.deposit(amount);
    }
    if let Err(message) = account.withdraw(200) {
        println!("refused: {message}");
    }
    let largest = account.largest();
    let archived = archive(account);
    println!("{archived}, the largest entry was {largest:?}");
}
