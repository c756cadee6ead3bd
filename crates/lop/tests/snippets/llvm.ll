; A list of numbers and its sum.
source_filename = "sum.c"
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.node = type { i32, ptr }
%pair = type { i64, [4 x i8], <2 x float> }

@.text = private unnamed_addr constant [9 x i8] c"sum: %d\0A\00", align 1
@values = internal global [3 x i32] [i32 1, i32 -2, i32 3], align 4
@empty = global %struct.node zeroinitializer
@shared = external global i32

declare i32 @printf(ptr nocapture readonly, ...) #1
declare void @llvm.trap()

define internal i32 @larger(i32 %a, i32 %b) #0 {
entry:
  %less = icmp slt i32 %a, %b
  %max = select i1 %less, i32 %b, i32 %a
  ret i32 %max
}

; Adds up all values.
define dso_local i32 @sum(ptr noundef %list, i32 %count) local_unnamed_addr #0 {
entry:
  %slot = alloca i32, align 4
  store i32 0, ptr %slot, align 4
  %some = icmp sgt i32 %count, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi i32 [ 0, %entry ], [ %more, %loop ]
  %index = sext i32 %i to i64
  %place = getelementptr inbounds i32, ptr %list, i64 %index
  %value = load i32, ptr %place, align 4
  %more = add nsw i32 %total, %value
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %count
  br i1 %done, label %end, label %loop

end:
  %result = phi i32 [ 0, %entry ], [ %more, %loop ]
  ret i32 %result
}

define double @scale(double %x, i32 %kind) {
  switch i32 %kind, label %other [
    i32 0, label %half
    i32 1, label %twice
  ]

half:
  %h = fmul fast double %x, 5.000000e-01
  ret double %h

twice:
  %t = fadd double %x, %x
  ret double %t

other:
  call void @llvm.trap()
  unreachable
}

define i32 @main() {
  %1 = call i32 @sum(ptr @values, i32 3)
  %2 = tail call i32 @larger(i32 %1, i32 7)
  %3 = call i32 (ptr, ...) @printf(ptr @.text, i32 %2)
  %4 = xor i32 %3, -1
  %5 = insertvalue { i32, i32 } undef, i32 %4, 0
  %6 = extractvalue { i32, i32 } %5, 0
  ret i32 %6
}

attributes #0 = { nounwind "frame-pointer"="all" }
attributes #1 = { nounwind }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
