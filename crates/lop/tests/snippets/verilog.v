// A counter, a small memory and a state machine.
`timescale 1ns / 1ps
`define WIDTH 8

module counter #(
    parameter WIDTH = 8,
    parameter LIMIT = 200
) (
    input wire clk,
    input wire rst,
    input wire enable,
    output reg [WIDTH-1:0] count,
    output wire full
);
    localparam STEP = 2;

    assign full = (count >= LIMIT) ? 1'b1 : 1'b0;

    always @(posedge clk or negedge rst) begin
        if (!rst) begin
            count <= {WIDTH{1'b0}};
        end else if (enable && !full) begin
            count <= count + STEP;
        end else
            count <= count;
    end
endmodule

module machine (clk, start, data, state);
    input clk, start;
    input [7:0] data;
    output reg [1:0] state;

    wire [7:0] value;
    reg [7:0] memory [0:15];
    integer i;

    /* Two bits of the data are mixed. */
    wire mixed = data[0] ^ ~data[1] & (|data[7:4]);

    counter #(.WIDTH(8), .LIMIT(8'hF0)) first (
        .clk(clk),
        .rst(1'b1),
        .enable(start),
        .count(value),
        .full()
    );

    initial begin
        state = 2'd0;
        for (i = 0; i < 16; i = i + 1)
            memory[i] <= 8'b0000_1010 << 1;
        #10 $display("value %d\n", value);
        repeat (3) @(posedge clk);
        $finish;
    end

    always @(*) begin
        case (state)
            2'b00: state = start ? 2'b01 : 2'b00;
            2'b01, 2'b10: begin
                state = {mixed, data[3]};
            end
            default: state = 2'bxx;
        endcase
    end

    function [7:0] twice;
        input [7:0] x;
        begin
            twice = x * 2;
        end
    endfunction

    genvar g;
    generate
        for (g = 0; g < 4; g = g + 1) begin : bits
            and gate (memory_bit, data[g], start);
        end
    endgenerate
endmodule
