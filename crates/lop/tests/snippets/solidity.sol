// A small bank.
pragma solidity ^0.8.20;

import "./Owned.sol";
import {Math, Text as Words} from "./Tools.sol";

/// A bank that keeps the balance of its users.
interface IBank {
    function deposit() external payable;
    function balanceOf(address user) external view returns (uint256);
}

library Rates {
    function apply_rate(uint256 amount, uint8 rate) internal pure returns (uint256 result) {
        result = amount * rate / 100;
    }
}

error TooLittle(uint256 wanted, uint256 present);

abstract contract Bank is IBank, Owned {
    using Rates for uint256;

    enum State { Open, Frozen, Closed }

    struct Account {
        uint256 balance;
        State state;
        string name;
    }

    uint256 public constant LIMIT = 100 ether;
    address payable private immutable keeper;
    mapping(address => Account) internal accounts;
    address[] public users;

    event Moved(address indexed from, address indexed to, uint256 amount);

    modifier onlyOpen(address user) {
        require(accounts[user].state == State.Open, "not \"open\"");
        _;
    }

    constructor(address payable who) Owned(msg.sender) {
        keeper = who;
    }

    receive() external payable {}

    function deposit() external payable override onlyOpen(msg.sender) {
        Account storage account = accounts[msg.sender];
        if (account.balance == 0 && msg.value > 0) {
            users.push(msg.sender);
        } else if (account.balance + msg.value > LIMIT) {
            revert TooLittle({wanted: msg.value, present: 0x10});
        } else {
            account.name = "known\n";
        }
        account.balance += msg.value;
        emit Moved(address(0), msg.sender, msg.value);
    }

    function total(bool rated) public view virtual returns (uint256 sum, bool ok) {
        for (uint256 i = 0; i < users.length; i++) {
            uint256 part = accounts[users[i]].balance;
            if (part == 0) continue;
            sum += rated ? part.apply_rate(5) : part;
        }
        while (sum > 1e30) {
            sum >>= 1;
        }
        return (sum, !rated || sum != 0);
    }

    function send(address payable to, uint256 amount) external {
        /* The amount is taken first. */
        unchecked { accounts[msg.sender].balance -= amount; }
        (bool done, ) = to.call{value: amount}("");
        try IBank(to).balanceOf(to) returns (uint256 value) {
            assert(value >= amount && done);
        } catch Error(string memory reason) {
            delete accounts[to];
        } catch {
            assembly { let x := mload(0x40) }
        }
    }
}
